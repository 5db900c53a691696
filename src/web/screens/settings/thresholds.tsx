import { Button, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { COUNTING_LINES } from '#domain/signal-words.ts';
import { defaultHealthSettings, type HealthSettings } from '#domain/signals.ts';
import { ApiError, api } from '../../api/client.ts';
import { hourly } from '../../api/query.ts';
import { Banner } from '../../kit/banner.tsx';
import { Card } from '../../kit/card.tsx';
import { causeOf, ErrorState } from '../../kit/error-state.tsx';
import { Late, Line } from '../../kit/skeleton.tsx';
import { useUser } from '../../session/session.tsx';
import { askHealthSettings } from './questions.ts';
import classes from './thresholds.module.css';

/** How often to look whether lines are counted (milliseconds). */
const LOOK_EVERY = 5_000;

interface Field {
  /** As the call names it. */
  readonly path: string;
  readonly label: string;
  readonly of: (settings: HealthSettings) => number;
}

interface Group {
  readonly title: string;
  /** What they decide. */
  readonly about: string;
  readonly fields: readonly Field[];
}

const groups: readonly Group[] = [
  {
    title: 'Too small to be reviewed',
    about: 'Left out of whether it was looked at.',
    fields: [
      { path: 'trivial.lines', label: 'Fewer lines than', of: ({ trivial }) => trivial.lines },
      { path: 'trivial.files', label: 'In files, at most', of: ({ trivial }) => trivial.files },
    ],
  },
  {
    title: 'Likely stamped',
    about: 'Approved with little said, within the minutes or faster than anybody reads.',
    fields: [
      { path: 'stamped.words', label: 'Words, at most', of: ({ stamped }) => stamped.words },
      { path: 'stamped.minutes', label: 'Minutes, at most', of: ({ stamped }) => stamped.minutes },
      { path: 'stamped.lines_per_minute', label: 'Lines a minute', of: ({ stamped }) => stamped.lines_per_minute },
    ],
  },
  {
    title: 'Back and forth',
    about: 'So many review rounds, or so often handed back by the author within 24 hours.',
    fields: [
      { path: 'ping_pong.rounds', label: 'Rounds, at least', of: ({ ping_pong }) => ping_pong.rounds },
      { path: 'ping_pong.turns', label: 'Turns, at least', of: ({ ping_pong }) => ping_pong.turns },
    ],
  },
  {
    title: 'Big, open for long, approved and waiting',
    about: 'Lines in generated files are not counted.',
    fields: [
      { path: 'big', label: 'Big: lines, more than', of: ({ big }) => big },
      { path: 'long_open_days', label: 'Open: days, more than', of: ({ long_open_days }) => long_open_days },
      {
        path: 'stale_approval_days',
        label: 'Approved: days, more than',
        of: ({ stale_approval_days }) => stale_approval_days,
      },
    ],
  },
];
const fields = groups.flatMap((group) => group.fields);
const GENERATED = 'generated';

/** Thresholds as they are typed, by path; patterns one a line. */
type Draft = Readonly<Record<string, string>>;

const draftOf = (settings: HealthSettings): Draft => ({
  ...Object.fromEntries(fields.map(({ path, of }) => [path, String(of(settings))])),
  [GENERATED]: settings.generated.join('\n'),
});

/** The thresholds of signals (docs/product.md#settings): administrators change them for everyone, others read them. */
export function Thresholds() {
  const { administrator } = useUser();
  const settings = useQuery({
    ...askHealthSettings(),
    refetchInterval: ({ state }) => (state.data?.counting ? LOOK_EVERY : hourly),
  });
  return (
    <Card title={<span id="thresholds">Thresholds of review signals</span>} caption="for everyone on this server">
      {settings.data === undefined ? (
        settings.error !== null ? (
          <ErrorState
            title="The thresholds could not be fetched"
            error={settings.error}
            onRetry={() => void settings.refetch()}
          />
        ) : (
          <Late>
            <Line width="14rem" />
          </Late>
        )
      ) : (
        <>
          <p className={classes.counting} role="status">
            {settings.data.counting && COUNTING_LINES}
          </p>
          {administrator ? <ThresholdForm held={settings.data} /> : <Values held={settings.data} />}
        </>
      )}
    </Card>
  );
}

/** The thresholds to be read alone. */
function Values({ held }: { readonly held: HealthSettings }) {
  return (
    <>
      <p className={classes.quiet}>Administrators of this server can change them.</p>
      <dl className={classes.values}>
        {groups.map(({ title, about, fields: of }) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>
              {of.map((field) => `${field.label} ${field.of(held).toLocaleString('en')}`).join(' · ')}
              <span className={classes.quiet}>{about}</span>
            </dd>
          </div>
        ))}
        <div>
          <dt>Generated files</dt>
          <dd className={classes.patterns}>{held.generated.length === 0 ? 'None' : held.generated.join('  ')}</dd>
        </div>
      </dl>
    </>
  );
}

function ThresholdForm({ held }: { readonly held: HealthSettings }) {
  const queries = useQueryClient();
  const [typed, setTyped] = useState<Draft>({});
  const before = draftOf(held);
  const draft: Draft = { ...before, ...typed };
  const changed = Object.keys(draft).filter((path) => draft[path]!.trim() !== before[path]);
  const defaults = draftOf(defaultHealthSettings);
  const save = useMutation({
    mutationFn: (_sent: Draft) => api.saveHealthSettings({ body: bodyOf(draft, changed) }),
    onSuccess: async (_, sent) => {
      await queries.invalidateQueries();
      // What was typed since is kept.
      setTyped((now) => Object.fromEntries(Object.entries(now).filter(([path, text]) => sent[path] !== text)));
    },
  });
  const change = (path: string, text: string) => {
    save.reset();
    setTyped({ ...typed, [path]: text });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!save.isPending && changed.length > 0) save.mutate(typed);
  };
  const issues = save.error instanceof ApiError ? save.error.issues : [];
  const problemOf = (path: string) => issues.find((issue) => issue.path === path)?.message;
  return (
    <form className={classes.form} aria-label="Thresholds" onSubmit={submit} noValidate>
      {groups.map(({ title, about, fields: of }) => (
        <fieldset key={title}>
          <legend>{title}</legend>
          <p className={classes.quiet}>{about}</p>
          <div className={classes.fields}>
            {of.map(({ path, label }) => (
              <TextInput
                key={path}
                label={label}
                inputMode="numeric"
                autoComplete="off"
                value={draft[path]!}
                error={problemOf(path)}
                onChange={({ currentTarget }) => change(path, currentTarget.value)}
              />
            ))}
          </div>
        </fieldset>
      ))}
      <Textarea
        label="Generated files"
        description="A pattern a line, as in .gitattributes: without a slash the name of a file anywhere; * stays within a name, ** spans folders."
        autosize
        minRows={4}
        maxRows={16}
        spellCheck={false}
        value={draft[GENERATED]!}
        error={patternProblem(issues, patternsIn(draft[GENERATED]!))}
        onChange={({ currentTarget }) => change(GENERATED, currentTarget.value)}
      />
      {changed.length > 0 && <WhatChanges changed={changed} before={before} draft={draft} />}
      {save.error !== null && issues.length === 0 && <Banner meaning="bad">{causeOf(save.error)}</Banner>}
      <div className={classes.buttons}>
        <Button type="submit" aria-disabled={save.isPending || changed.length === 0}>
          {save.isPending ? 'Saving' : 'Save'}
        </Button>
        <Button
          variant="default"
          disabled={Object.keys(defaults).every((path) => defaults[path] === draft[path])}
          onClick={() => {
            save.reset();
            setTyped(defaults);
          }}
        >
          Put back to the defaults
        </Button>
        {changed.length > 0 && (
          <Button
            variant="subtle"
            color="gray"
            onClick={() => {
              save.reset();
              setTyped({});
            }}
          >
            Discard
          </Button>
        )}
        <span role="status" className={classes.quiet}>
          {save.isSuccess && changed.length === 0 ? 'Saved' : ''}
        </span>
      </div>
    </form>
  );
}

interface ChangesProps {
  readonly changed: readonly string[];
  readonly before: Draft;
  readonly draft: Draft;
}

/** What saving does, before it is done. */
function WhatChanges({ changed, before, draft }: ChangesProps) {
  return (
    <Banner meaning="note">
      Saving changes{' '}
      {changed
        .map((path) => {
          const field = fields.find((one) => one.path === path);
          return field === undefined
            ? 'the generated files'
            : `“${field.label}” from ${before[path]} to ${draft[path]!.trim() || 'nothing'}`;
        })
        .join(', ')}{' '}
      for everyone on this server. All shares are computed again from what is stored, those of weeks past too
      {changed.includes(GENERATED) && ', with lines counted again within minutes'}, and an event stands on the trends.
    </Banner>
  );
}

const patternsIn = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** What is wrong with one of the patterns, or with how many there are. */
function patternProblem(issues: ApiError['issues'], patterns: readonly string[]): string | undefined {
  const issue = issues.find(({ path }) => path.split('.')[0] === GENERATED);
  if (issue === undefined) return undefined;
  const pattern = patterns[Number(issue.path.split('.')[1] ?? Number.NaN)];
  return pattern === undefined ? issue.message : `“${pattern.slice(0, 40)}”: ${issue.message}`;
}

type Body = NonNullable<NonNullable<Parameters<typeof api.saveHealthSettings>[0]>['body']>;

/** What changed alone, so that what another administrator changes meanwhile stays. */
function bodyOf(draft: Draft, changed: readonly string[]): Body {
  const body: Record<string, unknown> = {};
  for (const path of changed) {
    const text = draft[path]!.trim();
    const [group, name] = path.split('.') as [string, string | undefined];
    // What is no number is sent as none, and the server says so.
    const value = path === GENERATED ? patternsIn(text) : text === '' ? Number.NaN : Number(text);
    if (name === undefined) body[group] = value;
    else body[group] = { ...(body[group] as object | undefined), [name]: value };
  }
  return body as Body;
}
