import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { MyWork } from '#contract/my-work.ts';
import { askMyWork } from '../../api/questions.ts';
import { Explain } from '../../explain/explain.tsx';
import { useChosenTeam, useMembers } from '../../filters/choice-of-figures.ts';
import { RepositoryFilter } from '../../filters/filter-box.tsx';
import { Filters } from '../../filters/filter-button.tsx';
import { useSetFilters } from '../../filters/set-filters.ts';
import { TeamFilter } from '../../filters/team-filter.tsx';
import { Banner } from '../../kit/banner.tsx';
import { Panel } from '../../kit/card.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { causeOf, ErrorState, OldAnswerNote } from '../../kit/error-state.tsx';
import { Keys } from '../../kit/keys.tsx';
import { useSingleKeysSwitch } from '../../kit/single-keys-switch.ts';
import { Late, Line } from '../../kit/skeleton.tsx';
import { Page } from '../../layout/page.tsx';
import { headings } from '../../layout/pages.ts';
import { useHostName, useIsVisitor, useUser } from '../../session/session.tsx';
import { ConnectFirst } from '../../sync/connect-first.tsx';
import { ImportNotice } from '../../sync/import-notice.tsx';
import { SyncMessages } from '../../sync/sync-messages.tsx';
import { formatCount } from '../../time/moment.ts';
import { useNow } from '../../time/now.ts';
import classes from './my-work.module.css';
import { OtherSections, TurnSection } from './sections.tsx';
import { type Snoozes, useSnoozes } from './snoozes.ts';
import { useEnded } from './use-ended.ts';
import {
  isTurnKey,
  keyOfItem,
  othersWords,
  overdueWords,
  type Section,
  sectionTitles,
  turnKeys,
  untilWords,
  waitingForYou,
} from './words.ts';
import { useWorkKeys } from './work-keys.ts';

/** What waits for the signed-in person, since when and why (docs/product.md#my-work). */
export function MyWorkScreen() {
  const of = useMembers();
  const work = useQuery(askMyWork(of));
  const snoozes = useSnoozes();
  const [active, clear] = useSetFilters(['repository', 'team']);
  const { data } = work;
  const items = data?.sections.flatMap((section) => section.items) ?? [];
  useWorkKeys({
    takeBack: (key) => snoozes.takeBack(items.find((item) => keyOfItem(item) === key && item.snooze !== null)),
  });
  return (
    <Page
      title={headings['my-work']}
      subtitle={
        data?.recognised && (
          <span data-outdated={work.isPlaceholderData || undefined}>
            <Explain metric="my_work.turn" {...of}>
              {waitingForYou(data.counts.turn)}
            </Explain>
            {overdueWords(data.sections)}
          </span>
        )
      }
      actions={
        <Filters active={active} onClear={clear}>
          <RepositoryFilter />
          <TeamFilter />
        </Filters>
      }
    >
      <SyncMessages />
      <ImportNotice />
      <Whose />
      <LeftOut onClear={clear} />
      {snoozes.error !== null && (
        <Banner meaning="bad">{`${snoozes.error.what}. ${causeOf(snoozes.error.cause)}`}</Banner>
      )}
      <OldAnswerNote title="Failed to fetch your work" answer={work} />
      {data === undefined ? (
        work.error === null ? (
          <Loading />
        ) : (
          <Panel label={headings['my-work']}>
            <ErrorState title="Failed to fetch your work" error={work.error} onRetry={() => void work.refetch()} />
          </Panel>
        )
      ) : data.recognised ? (
        <div className={classes.stack} data-outdated={work.isPlaceholderData || undefined}>
          <Work data={data} of={of} snoozes={snoozes} />
        </div>
      ) : (
        <NotRecognised />
      )}
      <Latest snoozes={snoozes} />
    </Page>
  );
}

interface WorkProps {
  readonly data: MyWork;
  readonly of: ReturnType<typeof useMembers>;
  readonly snoozes: Snoozes;
}

function Work({ data, of, snoozes }: WorkProps) {
  const ended = useEnded(data, JSON.stringify(of));
  const endedIn = (key: Section['key']) => ended.filter(({ section }) => section === key);
  const turns = data.sections.filter(({ key, total }) => isTurnKey(key) && (total > 0 || endedIn(key).length > 0));
  const others = data.sections.filter(({ key, total }) => !isTurnKey(key) && total > 0);
  const waiting = othersWords(others);
  return (
    <>
      {turns.length === 0 && (
        <Panel label={headings['my-work']}>
          <EmptyState goodNews title="All clear. Nothing waits for you." {...(waiting !== '' && { why: waiting })} />
        </Panel>
      )}
      {turns.map((section) => (
        <TurnSection key={section.key} section={section} ended={endedIn(section.key)} snoozes={snoozes} />
      ))}
      {others.length > 0 && <OtherSections sections={others} above={data.counts.turn} snoozes={snoozes} />}
      <div className={classes.foot}>
        <span>
          {data.waiting_for_nobody > 0 && (
            <>
              {formatCount(data.waiting_for_nobody)}{' '}
              {data.waiting_for_nobody === 1 ? 'open one waits' : 'open ones wait'} for nobody in particular.{' '}
              <Link to="/stuck-prs" search={of} state={{ addsNoTeam: true }}>
                See stuck PRs
              </Link>
            </>
          )}
        </span>
        <KeyLegend />
      </div>
    </>
  );
}

/** Visitors of the demo have done nothing there. */
function Whose() {
  if (!useIsVisitor()) return null;
  return (
    <Banner meaning="note">In the demo you see the work of somebody at its company; what you snooze is yours.</Banner>
  );
}

/** What a chosen team leaves out: more than its members’ pull requests waits for somebody. */
function LeftOut({ onClear }: { readonly onClear: () => void }) {
  const team = useChosenTeam();
  if (team === null) return null;
  return (
    <Banner
      meaning="note"
      aside={
        <Button variant="default" size="compact-sm" onClick={onClear}>
          Show everything
        </Button>
      }
    >
      {`Only pull requests that people of ${team} opened. What else waits for you is left out, also what is asked of your teams by others.`}
    </Banner>
  );
}

function KeyLegend() {
  const [on] = useSingleKeysSwitch();
  if (!on) return null;
  return (
    <ul className={classes.keys} aria-hidden="true" data-screen-only>
      <li>
        <Keys keys={['j', 'k']} /> move
      </li>
      <li>
        <Keys keys={['Enter']} /> opens
      </li>
      <li>
        <Keys keys={['s']} /> snoozes
      </li>
      <li>
        <Keys keys={['u']} /> takes it back
      </li>
    </ul>
  );
}

function NotRecognised() {
  const { github_username } = useUser();
  const host = useHostName();
  const title = 'We haven’t seen you in these repositories yet.';
  return (
    <Panel label={headings['my-work']}>
      <ConnectFirst title={title}>
        <EmptyState
          title={title}
          why={`No pull request in them is by ${github_username} of ${host}, was reviewed by that account or asks it for a review.`}
          next={<Link to="/settings">Your repositories</Link>}
        />
      </ConnectFirst>
    </Panel>
  );
}

/** Says what was put aside, with the way back, for a while. */
function Latest({ snoozes: { latest, takeBack } }: { readonly snoozes: Snoozes }) {
  const now = useNow();
  const { time_zone } = useUser();
  return (
    <div role="status" className={classes.latest} data-screen-only>
      {latest?.isShown && (
        <div>
          Snoozed {untilWords(latest, now, time_zone)}.{' '}
          <button type="button" className={classes.undo} onClick={() => takeBack()}>
            Undo
          </button>
        </div>
      )}
    </div>
  );
}

function Loading() {
  return (
    <Late>
      <div className={classes.stack}>
        {turnKeys.slice(0, 2).map((key) => (
          <Panel key={key} label={sectionTitles[key]}>
            <div className={classes.pendingHead}>
              <Line width="12rem" />
            </div>
            {[60, 45, 52].map((width) => (
              <div key={width} className={classes.pendingRow}>
                <Line width={`${width}%`} />
                <Line width={`${width / 2}%`} />
              </div>
            ))}
          </Panel>
        ))}
      </div>
    </Late>
  );
}
