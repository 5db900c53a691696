import { useId } from 'react';
import type { AiReviewer } from '#contract/ai-reviewers.ts';
import type { OfSize, ReviewerCount, ReviewerFigure } from '#domain/ai-reviewers.ts';
import { counted } from '#domain/counted.ts';
import { formatDuration } from '#domain/duration.ts';
import { percentWords, shareWords } from '#domain/percent.ts';
import { Amount, Duration } from '../../kit/figure.tsx';
import { Face } from '../../people/person.tsx';
import { useUser } from '../../session/session.tsx';
import { formatCount, formatDay, formatMean } from '../../time/moment.ts';
import { useNow } from '../../time/now.ts';
import { useChangeSearch } from '../../url/url-state.ts';
import { keyOfReviewer } from './chosen-reviewer.ts';
import { FigureLabel } from './labels.tsx';
import classes from './reviewer-card.module.css';
import { showReviewer } from './show-reviewer.ts';
import { atMost, countOf, isFew, pointsText, reviewerName } from './words.ts';

interface Props {
  readonly reviewer: AiReviewer;
  readonly since: string | undefined;
}

/** What one AI reviewer gives, with people beside it at the same scale. */
export function ReviewerCard({ reviewer: one, since }: Props) {
  const now = useNow();
  const { time_zone } = useUser();
  const change = useChangeSearch();
  const id = useId();
  const name = reviewerName(one);
  const of = { reviewer: one.reviewer, named: name };
  const ofPeople = (figure: ReviewerFigure, words: string) => (
    <FigureLabel figure={figure} named="People">
      {words}
    </FigureLabel>
  );
  const labelOf = (figure: ReviewerCount, words: string) => (
    <FigureLabel figure={figure} {...of}>
      {words}
    </FigureLabel>
  );
  const { coverage, findings_per_pr, time_to_agent_review: wait, control, thumbs } = one;
  return (
    <section className={classes.card} aria-labelledby={id}>
      <header className={classes.head}>
        <Face name={one.reviewer} avatarUrl={one.avatar_url} kind="agent" size={28} />
        <div className={classes.who}>
          <h2 id={id}>{name}</h2>
          <span className={classes.quiet}>
            {`first seen ${formatDay(Date.parse(one.first_seen), now, time_zone)}, ${formatCount(countOf(coverage))} of ${formatCount(coverage.n)} ready PRs`}
            {since !== undefined && <span className={classes.since}>{since}</span>}
          </span>
        </div>
        <button
          type="button"
          className={classes.details}
          aria-label={`Details of ${name}`}
          onClick={() => {
            change({ reviewer: keyOfReviewer(one) });
            showReviewer();
          }}
        >
          Details
        </button>
      </header>
      <div className={classes.figures}>
        <div>
          <FigureLabel figure="coverage" {...of}>
            Coverage
          </FigureLabel>
          <Large
            few={isFew(coverage)}
            figure={coverage.value === null ? null : percentWords(coverage.value)}
            unit="%"
          />
          <span className={classes.quiet}>{`n ${formatCount(coverage.n)}`}</span>
        </div>
        <div>
          <FigureLabel figure="findings_per_pr" {...of}>
            Findings per PR
          </FigureLabel>
          <Large
            few={isFew(findings_per_pr)}
            figure={findings_per_pr.value === null ? null : formatMean(findings_per_pr.value)}
            unit={findings_per_pr.p90 === null ? '' : `p90 ${formatCount(Math.round(findings_per_pr.p90))}`}
          />
          <span className={classes.quiet}>{`n ${formatCount(findings_per_pr.n)}`}</span>
          <span className={classes.quiet}>
            {ofPeople('findings_per_pr', `people ${formatMean(control.findings_per_pr.value)}`)}
            {`, n ${formatCount(control.findings_per_pr.n)}`}
          </span>
        </div>
      </div>
      <div className={classes.acted}>
        <div className={classes.actedHead}>
          <FigureLabel figure="acted_on" {...of}>
            Acted on
          </FigureLabel>
          <span className={classes.lift}>
            <FigureLabel figure="lift" {...of}>
              <Lift {...one} />
            </FigureLabel>
          </span>
        </div>
        <Shared name={name} share={one.acted_on} few={isFew(one.acted_on)} isReviewer />
        <Shared name={ofPeople('acted_on', 'People')} share={control.acted_on} few={isFew(control.acted_on)} />
      </div>
      <dl className={classes.pairs}>
        {/* What people resolved is not read everywhere. */}
        <Pair
          label={labelOf('noise', 'Noise')}
          of={one.noise}
          people={ofPeople('noise', `people ${atMost(control.noise.value)}`)}
          ofPeople={control.noise}
        >
          <Percent value={one.noise.value} />
        </Pair>
        <Pair label={labelOf('before_human', 'Before the first human')} of={one.before_human}>
          <Percent value={one.before_human.value} />
        </Pair>
        <Pair label={labelOf('time_to_agent_review', 'Wait until it spoke')} of={wait}>
          <Duration hours={wait.value} />
          {wait.p90 !== null && <span className={classes.more}>{`, p90 ${formatDuration(wait.p90)}`}</span>}
        </Pair>
        <Pair label={labelOf('on_automation', 'On bots’ and agents’ PRs')} of={one.on_automation}>
          <Percent value={one.on_automation.value} />
        </Pair>
        <Pair
          label={labelOf('talkative', 'More than ten findings')}
          of={one.talkative}
          people={ofPeople('talkative', `people ${shareWords(control.talkative.value)}`)}
          ofPeople={control.talkative}
        >
          <Percent value={one.talkative.value} more=" of its PRs" />
        </Pair>
        <Pair
          label={labelOf('silent', 'No finding')}
          of={one.silent}
          people={ofPeople('silent', `people ${shareWords(control.silent.value)}`)}
          ofPeople={control.silent}
        >
          <Percent value={one.silent.value} more=" of its PRs" />
        </Pair>
        <Pair label="Thumbs on its findings" of={one.acted_on}>
          {labelOf('thumbs_up', `${formatCount(thumbs.up)} up`)},{' '}
          {labelOf('thumbs_down', `${formatCount(thumbs.down)} down`)}
        </Pair>
      </dl>
    </section>
  );
}

interface LargeProps {
  readonly figure: string | null;
  readonly unit: string;
  readonly few: boolean;
}

function Large({ figure, unit, few }: LargeProps) {
  return (
    <span className={`${classes.large} ${few ? classes.few : ''}`}>
      <Amount figure={figure} large {...(unit !== '' && { unit })} />
    </span>
  );
}

/** The difference to people, or why there is none. */
function Lift({ acted_on, control, lift }: AiReviewer) {
  const points = pointsText(lift);
  if (points !== null)
    return (
      <>
        <b>{points}</b> to people
      </>
    );
  const [few, whose] = isFew(acted_on) ? [acted_on.n, ''] : [control.acted_on.n, ' by people'];
  return <>{`${counted(few, 'finding')}${whose}: too few to compare`}</>;
}

interface SharedProps {
  readonly name: React.ReactNode;
  readonly share: OfSize;
  readonly few: boolean;
  readonly isReviewer?: boolean;
}

/** A share as a bar from 0 to 100 %, its value and its count in columns of their own. */
function Shared({ name, share, few, isReviewer = false }: SharedProps) {
  const tone = few ? classes.greyBar : isReviewer ? classes.reviewerBar : classes.peopleBar;
  return (
    <div className={`${classes.shared} ${isReviewer ? classes.strong : ''}`}>
      <span className={classes.name}>{name}</span>
      <span className={classes.track} aria-hidden="true">
        <span className={tone} style={{ width: `${100 * (share.value ?? 0)}%` }} />
      </span>
      <span className={few ? classes.few : undefined}>
        <Percent value={share.value} />
      </span>
      <span className={classes.n}>{`n ${formatCount(share.n)}`}</span>
    </div>
  );
}

function Percent({ value, more }: { readonly value: number | null; readonly more?: string }) {
  return (
    <>
      <Amount figure={value === null ? null : percentWords(value)} unit="%" />
      {more !== undefined && <span className={classes.more}>{more}</span>}
    </>
  );
}

interface PairProps {
  readonly label: React.ReactNode;
  readonly of: OfSize;
  readonly children: React.ReactNode;
  /** What people come to by the same rule, and over how many; stands below it. */
  readonly people?: React.ReactNode;
  readonly ofPeople?: OfSize;
}

function Pair({ label, of, children, people, ofPeople }: PairProps) {
  return (
    <div className={ofPeople === undefined ? undefined : classes.compared}>
      <dt>{label}</dt>
      <dd className={isFew(of) ? classes.few : undefined}>{children}</dd>
      <dd className={classes.n}>{`n ${formatCount(of.n)}`}</dd>
      {ofPeople !== undefined && (
        <>
          <dd className={classes.people}>{people}</dd>
          <dd className={classes.n}>{`n ${formatCount(ofPeople.n)}`}</dd>
        </>
      )}
    </div>
  );
}
