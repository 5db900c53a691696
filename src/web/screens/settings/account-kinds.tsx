import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { MarkedAccount } from '#contract/accounts.ts';
import { api } from '../../api/client.ts';
import { ask } from '../../api/query.ts';
import { Banner } from '../../panels/banner.tsx';
import { Card } from '../../panels/card.tsx';
import { Chip } from '../../panels/chip.tsx';
import { causeOf, ErrorState } from '../../panels/error-state.tsx';
import { Face } from '../../panels/person.tsx';
import { When } from '../../panels/when.tsx';
import classes from './settings.module.css';

type Kind = MarkedAccount['kind'];

const kinds: readonly { readonly value: Kind; readonly label: string }[] = [
  { value: 'bot', label: 'Bot' },
  { value: 'agent', label: 'Agent' },
  { value: 'human', label: 'Human' },
];

/** The team's own word on who is a bot, an agent or a human: mark, look, take back (metric definitions, section 0, "Accounts"). */
export function AccountKinds() {
  const marked = useQuery(ask('listMarkedAccounts', undefined));
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
  return (
    <Card title="Bots, agents and humans" caption="the team’s own word; everybody with these repositories sees it">
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
          {marked.data?.map(({ username, display_name, avatar_url, kind, set_by, set_at }) => (
            <li key={username} className={classes.marked}>
              <Face name={username} avatarUrl={avatar_url} kind={kind} />
              <span className={classes.what}>
                {username} {display_name !== null && <span className={classes.quiet}>{display_name}</span>}
              </span>
              <Chip meaning="outlined">{kinds.find(({ value }) => value === kind)?.label}</Chip>
              <span className={classes.quiet}>
                {set_by !== null && `by ${set_by}, `}
                <When at={set_at} as="ago" />
              </span>
              <Button
                variant="subtle"
                color="gray"
                aria-label={`Undo the mark of ${username}`}
                disabled={undo.isPending}
                onClick={() => undo.mutate(username)}
              >
                Undo
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

interface MarkFormProps {
  readonly busy: boolean;
  readonly onMark: (username: string, kind: Kind) => Promise<unknown>;
}

function MarkForm({ busy, onMark }: MarkFormProps) {
  const [username, setUsername] = useState('');
  const [kind, setKind] = useState<Kind>('bot');
  const known = useQuery(ask('listContributors', { query: { accounts: 'all' } })).data ?? [];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // What went wrong is told below the form; what was typed stays.
    onMark(username.trim().replace(/^@/, ''), kind).then(
      () => setUsername(''),
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
