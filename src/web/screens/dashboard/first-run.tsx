import { Button, VisuallyHidden } from '@mantine/core';
import {
  BeakerIcon,
  CheckIcon,
  CodeReviewIcon,
  EyeIcon,
  GitMergeIcon,
  PeopleIcon,
  PlusIcon,
  ServerIcon,
  ShieldLockIcon,
  SyncIcon,
} from '@primer/octicons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { DEMO_HOST } from '#domain/demo-host.ts';
import { NOT_AVAILABLE } from '#domain/duration.ts';
import { definitionsOfTheTeam } from '#domain/metrics/team.ts';
import { STUCK_AFTER_HOURS } from '#domain/metrics/thresholds.ts';
import { causeOf } from '../../kit/error-state.tsx';
import { spokenTens } from '../../kit/spoken-tens.ts';
import { useDemo } from '../../session/demo.ts';
import { useHostName, useUser } from '../../session/session.tsx';
import { useHereAlready } from '../../sync/here-already.ts';
import { failedWords, useImports, waitingWords } from '../../sync/import-notice.tsx';
import type { ImportState } from '../../sync/import-state.ts';
import { useSync } from '../../sync/sync-state.tsx';
import classes from './first-run.module.css';

/** The dashboard before there is anything to show: the steps from no repository to the first data, and outlines of what will come. */
export default function FirstRun({ repositories }: { repositories: number }) {
  return (
    <>
      <section className={classes.start} aria-label="First steps">
        {repositories === 0 ? <Connect /> : <FirstData />}
        <Steps repositories={repositories} />
      </section>
      <Outlines />
    </>
  );
}

function Connect() {
  const demo = useDemo();
  const { host } = useUser();
  const here = useHereAlready();
  const add = (
    <Button
      variant={here === null ? 'filled' : 'default'}
      component={Link}
      to="/add-repo"
      leftSection={<PlusIcon size={14} />}
    >
      Add Repository
    </Button>
  );
  return (
    <div className={classes.words}>
      {here === null ? (
        <>
          <h2>Connect Your First Repository</h2>
          <p>
            Mergelight reads its pull requests and reviews, and shows where time goes and whose turn it is. The current
            weeks appear first.
          </p>
        </>
      ) : (
        <>
          <h2>{here.sentence}</h2>
          <p>Others have imported {here.count === 1 ? 'it' : 'them'}: ready at once, and nothing is imported twice.</p>
        </>
      )}
      <div className={classes.ways}>
        {here !== null && (
          <>
            <Button loading={here.addAll.isPending} onClick={() => here.addAll.mutate()}>
              {here.count === 1 ? 'Add it' : 'Add all'}
            </Button>
            <Button
              variant="default"
              renderRoot={(props) => <Link to="/add-repo" search={{ from: 'host' }} {...props} />}
            >
              Choose …
            </Button>
          </>
        )}
        {add}
        {demo.offered && host !== DEMO_HOST && (
          <Button
            variant="default"
            leftSection={<BeakerIcon size={14} />}
            loading={demo.opening}
            onClick={() => void demo.open()}
          >
            View Demo
          </Button>
        )}
      </div>
      {here?.addAll.error && <p role="alert">Failed to add the repositories. {causeOf(here.addAll.error)}</p>}
      <ul className={classes.promises}>
        <li>
          <ShieldLockIcon size={14} /> Never touches your code
        </li>
        <li>
          <ServerIcon size={14} /> Stays on your server
        </li>
        <li>
          <PeopleIcon size={14} /> People, bots and agents kept apart
        </li>
      </ul>
    </div>
  );
}

function FirstData() {
  const { active, start, setDialogOpened } = useSync();
  const imports = useImports();
  const { time_zone } = useUser();
  const running = active || imports?.kind === 'importing' || imports?.kind === 'waiting';
  const { title, words, spoken } = firstDataWords(imports, running, time_zone);
  return (
    <div className={classes.words}>
      <h2>{title}</h2>
      <p role={spoken === undefined ? 'status' : undefined}>{words}</p>
      {spoken !== undefined && <VisuallyHidden role="status">{spoken}</VisuallyHidden>}
      <div className={classes.ways}>
        {running ? (
          active && (
            <Button variant="default" onClick={() => setDialogOpened(true)}>
              Show Progress
            </Button>
          )
        ) : (
          <Button leftSection={<SyncIcon size={14} />} onClick={() => start('smart')}>
            Sync now
          </Button>
        )}
        <Button variant="default" component={Link} to="/add-repo" leftSection={<PlusIcon size={14} />}>
          Add Repository
        </Button>
      </div>
    </div>
  );
}

/** `spoken` in place of words that change more often than anybody wants to hear. */
function firstDataWords(
  imports: ImportState | undefined,
  running: boolean,
  time_zone: string,
): { title: string; words: string; spoken?: string } {
  if (imports?.kind === 'waiting') return { title: 'The first sync waits', words: waitingWords(imports, time_zone) };
  if (imports?.kind === 'failed' && !running) return { title: 'The first sync failed', words: failedWords(imports) };
  if (!running)
    return {
      title: 'Start the first sync',
      words: 'Nothing has been imported yet. Figures appear with the first sync.',
    };
  const title = 'The first sync is running';
  const words = 'The figures appear here by themselves, the current weeks first.';
  if (imports?.kind !== 'importing') return { title, words };
  return {
    title,
    words: `${Math.floor(imports.percentage)}% is imported. ${words}`,
    spoken: `First sync: ${spokenTens(imports.percentage)}.`,
  };
}

function Steps({ repositories }: { repositories: number }) {
  const { github_username } = useUser();
  const host = useHostName();
  const added = repositories > 0;
  return (
    <ol className={classes.steps}>
      <Step mark="done" title={`Signed in as ${github_username}`}>
        Your {host} account decides what can be read.
      </Step>
      <Step mark={added ? 'done' : 2} current={!added} title="Add a repository">
        Owner and name are enough. Access is tested first.
      </Step>
      <Step mark={3} current={added} title="First sync">
        It can be stopped and goes on where it was.
      </Step>
      <Step mark={4} title="Add the webhook">
        Optional. Changes then arrive within seconds.
      </Step>
    </ol>
  );
}

interface StepProps {
  readonly mark: 'done' | number;
  readonly current?: boolean;
  readonly title: string;
  readonly children: ReactNode;
}

function Step({ mark, current = false, title, children }: StepProps) {
  const look = mark === 'done' ? classes.done : current ? classes.current : '';
  return (
    <li className={classes.step} aria-current={current ? 'step' : undefined}>
      <span className={`${classes.mark} ${look}`}>
        {mark === 'done' ? <CheckIcon size={12} aria-label="Done" /> : mark}
      </span>
      <div>
        <b>{title}</b>
        <p>{children}</p>
      </div>
    </li>
  );
}

const figures = [
  ['team.avg_review_time_hours', NOT_AVAILABLE],
  ['team.avg_time_to_merge_hours', NOT_AVAILABLE],
  ['team.merged_prs', '0'],
  ['team.pr_merge_rate', NOT_AVAILABLE],
  ['team.open_prs', '0'],
] as const;

const panels = [
  {
    Icon: EyeIcon,
    title: 'Stuck pull requests',
    why: `Open for more than ${STUCK_AFTER_HOURS} hours, with whose turn it is.`,
  },
  { Icon: CodeReviewIcon, title: 'Reviewers', why: 'Reviews of the last 7 days and how fast they came.' },
  { Icon: GitMergeIcon, title: 'Developers', why: 'Merges of the last 30 days, size, and time to merge.' },
];

function Outlines() {
  return (
    <section className={classes.outlines} aria-label="What will appear here">
      <dl className={classes.figures}>
        {figures.map(([key, value]) => (
          <div key={key}>
            <dt>{definitionsOfTheTeam[key].name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <ul className={classes.panels}>
        {panels.map(({ Icon, title, why }) => (
          <li key={title}>
            <b>
              <Icon size={16} /> {title}
            </b>
            <p>{why}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
