import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { MarkedAccount } from '#contract/accounts.ts';
import { api } from '../../api/client.ts';
import { hourly } from '../../api/query.ts';
import { askEveryAccount } from '../../api/questions.ts';
import { Banner } from '../../kit/banner.tsx';
import { Card } from '../../kit/card.tsx';
import { Chip } from '../../kit/chip.tsx';
import { causeOf, ErrorState } from '../../kit/error-state.tsx';
import { passFocus } from '../../kit/focus-back.ts';
import { Person } from '../../people/person.tsx';
import { useUser } from '../../session/session.tsx';
import { When } from '../../time/when.tsx';
import { askMarkedAccounts } from './questions.ts';
import classes from './settings.module.css';

type Kind = MarkedAccount['kind'];

const kinds: readonly { readonly value: Kind; readonly label: string }[] = [
  { value: 'bot', label: 'Bot' },
  { value: 'agent', label: 'Agent' },
  { value: 'human', label: 'Human' },
];

const HEAD = 'account-kinds';

/** How often to look whether the figures show what was marked (milliseconds). */
const LOOK_EVERY = 2_000;

/**
 * What this person, and for everybody the administrators, say who is a bot, an agent or a human: mark, look, take back
 * (docs/product.md#settings).
 */
export function AccountKinds() {
  const user = useUser();
  const marked = useQuery({
    ...askMarkedAccounts(),
    refetchInterval: ({ state }) => (state.data?.some(({ counting }) => counting) ? LOOK_EVERY : hourly),
  });
  const queries = useQueryClient();
  const [problem, setProblem] = useState<string | null>(null);
  const outcome = {
    onMutate: () => setProblem(null),
    onError: (error: Error) => setProblem(causeOf(error)),
    onSuccess: () => queries.invalidateQueries(),
  };
  const mark = useMutation({
    mutationFn: ({ username, kind }: { username: string; kind: Kind }) =>
      api.markAccount({ params: { username }, body: { kind } }),
    ...outcome,
  });
  const undo = useMutation({
    mutationFn: (username: string) => api.unmarkAccount({ params: { username } }),
    ...outcome,
  });
  const counting = marked.data?.some((account) => account.counting) === true;
  const wasCounting = useRef(false);
  useEffect(() => {
    // All figures of the page are older than what was counted just now.
    if (wasCounting.current && !counting) void queries.invalidateQueries();
    wasCounting.current = counting;
  }, [counting, queries]);
  return (
    <Card
      title={
        <span id={HEAD} tabIndex={-1}>
          Bots, agents and humans
        </span>
      }
      caption={
        user.administrator
          ? 'your marks change what everybody on this server sees'
          : 'your marks change what you see, and nobody else’s figures'
      }
    >
      <MarkForm busy={mark.isPending} onMark={(username, kind) => mark.mutateAsync({ username, kind })} />
      {problem !== null && <Banner meaning="bad">{problem}</Banner>}
      {marked.data === undefined && marked.error !== null ? (
        <ErrorState
          title="The marked accounts could not be fetched"
          error={marked.error}
          onRetry={() => void marked.refetch()}
        />
      ) : marked.data?.length === 0 ? (
        <p className={classes.why}>No account is marked. Known bots and agents are recognized by themselves.</p>
      ) : (
        <ul aria-label="Marked accounts">
          {marked.data?.map((account) => {
            const { username, display_name, avatar_url, kind, set_at, own } = account;
            return (
              <li key={username} className={classes.marked} data-tips>
                <span className={`${classes.what} ${classes.name}`}>
                  <Person name={username} displayName={display_name} avatarUrl={avatar_url} kind={kind} />
                  {kind === 'human' && <Chip meaning="outlined">Human</Chip>}
                </span>
                <span className={classes.quiet}>
                  {forWhom(account, user.github_username)}, <When at={set_at} as="ago" />
                </span>
                <span className={classes.counting} role="status">
                  {account.counting && 'Counting …'}
                </span>
                {(own || user.administrator) && (
                  <Button
                    ref={passFocus(HEAD)}
                    variant="subtle"
                    color="gray"
                    aria-label={`Undo the mark of ${username}`}
                    disabled={undo.isPending}
                    onClick={() => undo.mutate(username)}
                  >
                    Undo
                  </Button>
                )}
              </li>
            );
          })}
        </ul>
      )}
    </Card>
  );
}

/** Whom a mark holds for, and whose it is where that is somebody else. */
function forWhom({ set_by, own }: MarkedAccount, username: string): string {
  if (own) return 'for you';
  if (set_by === null) return 'for everyone';
  return `for everyone, by ${set_by === username ? 'you' : set_by}`;
}

interface MarkFormProps {
  readonly busy: boolean;
  readonly onMark: (username: string, kind: Kind) => Promise<unknown>;
}

function MarkForm({ busy, onMark }: MarkFormProps) {
  const [username, setUsername] = useState('');
  const [kind, setKind] = useState<Kind>('bot');
  const known = useQuery(askEveryAccount()).data ?? [];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // What went wrong is told below the form; what was typed stays.
    onMark(username.trim().replace(/^@/, ''), kind).then(
      () => setUsername((typed) => (typed === username ? '' : typed)),
      () => undefined,
    );
  };
  return (
    <form className={classes.mark} onSubmit={submit}>
      <TextInput
        label="Username"
        value={username}
        onChange={(event) => setUsername(event.currentTarget.value)}
        list="people-to-mark"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
      />
      <datalist id="people-to-mark">
        {known.map(({ username: login, display_name }) => (
          <option key={login} value={login}>
            {display_name}
          </option>
        ))}
      </datalist>
      <NativeSelect
        label="is a"
        value={kind}
        onChange={(event) => setKind(kinds.find(({ value }) => value === event.currentTarget.value)?.value ?? 'bot')}
        data={[...kinds]}
      />
      <Button type="submit" variant="default" disabled={username.trim() === ''} loading={busy}>
        Mark
      </Button>
    </form>
  );
}
