import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core';
import '@mantine/core/styles/Checkbox.layer.css';
import '@mantine/core/styles/InlineInput.layer.css';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { NewApiToken } from '#contract/tokens.ts';
import { LONGEST_TOKEN_NAME, TOKEN_DAYS, type TokenScope, tokenScopes } from '#domain/personal-tokens.ts';
import { api } from '../../../api/client.ts';
import { keyOf } from '../../../api/query.ts';
import { askRepositories } from '../../../api/questions.ts';
import { Banner } from '../../../kit/banner.tsx';
import { CopyField } from '../../../kit/copy-field.tsx';
import { Dialog } from '../../../kit/dialog.tsx';
import { causeOf } from '../../../kit/error-state.tsx';
import classes from '../team-dialogs.module.css';
import own from './tokens.module.css';
import { choicesOfDays, scopeWords } from './words.ts';

const DAY = 86_400_000;

interface Props {
  /** How many days a token may live here at most. */
  readonly maxDays: number;
  readonly onClose: () => void;
}

/** Makes a token, and shows it this once. */
export default function TokenDialog({ maxDays, onClose }: Props) {
  const [token, setToken] = useState<NewApiToken | null>(null);
  if (token !== null)
    return (
      <Dialog key="made" title={`Token ${token.name}`} onClose={onClose} otherwise="tokens" staysOpen>
        <div className={classes.fields}>
          <p className={own.why}>Copy it now: it is shown this once, and only its hash is stored.</p>
          <CopyField label="Token" value={token.token} />
          <CopyField
            label="Try it"
            value={`curl -H 'Authorization: Bearer ${token.token}' ${location.origin}${token.scopes.includes('read:figures') ? '/api/team-stats' : '/api/my-work'}`}
            masked
          />
          <div className={classes.answer}>
            <Button onClick={onClose}>Done</Button>
          </div>
        </div>
      </Dialog>
    );
  return (
    <Dialog key="make" title="Make token" onClose={onClose} otherwise="tokens" staysOpen>
      <TokenForm maxDays={maxDays} onClose={onClose} onMade={setToken} />
    </Dialog>
  );
}

function TokenForm({ maxDays, onClose, onMade }: Props & { readonly onMade: (token: NewApiToken) => void }) {
  const queries = useQueryClient();
  const repositories = useQuery(askRepositories()).data ?? [];
  const days = choicesOfDays(maxDays);
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<ReadonlySet<TokenScope>>(new Set(['read:figures']));
  const [isOfAll, setOfAll] = useState(true);
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const [endsAfter, setEndsAfter] = useState(days.includes(TOKEN_DAYS.usual) ? TOKEN_DAYS.usual : days.at(-1)!);
  const make = useMutation({
    mutationFn: () =>
      api.makeToken({
        body: {
          name,
          scopes: [...scopes],
          repositories: isOfAll ? 'all' : [...chosen],
          expires_at: new Date(Date.now() + endsAfter * DAY).toISOString(),
        },
      }),
    onSuccess: async (token) => {
      await queries.invalidateQueries({ queryKey: keyOf('listTokens') });
      onMade(token);
    },
  });
  const isWhole = name.trim() !== '' && scopes.size > 0 && (isOfAll || chosen.size > 0);
  return (
    <form
      className={classes.fields}
      onSubmit={(event) => {
        event.preventDefault();
        if (isWhole && !make.isPending) make.mutate();
      }}
    >
      <TextInput
        label="Name"
        description="What reads with it, such as “Nightly report”."
        data-autofocus
        autoComplete="off"
        maxLength={LONGEST_TOKEN_NAME}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <fieldset className={classes.tree}>
        <legend className={classes.legend}>
          <b>It may read</b>
        </legend>
        {tokenScopes.map((scope) => (
          <Checkbox
            key={scope}
            label={scopeWords[scope].label}
            description={scopeWords[scope].what}
            checked={scopes.has(scope)}
            onChange={({ currentTarget }) => setScopes(withMember(scopes, scope, currentTarget.checked))}
          />
        ))}
      </fieldset>
      <fieldset className={classes.tree}>
        <legend className={classes.legend}>
          <b>Of these repositories</b>
        </legend>
        <NativeSelect
          aria-label="Which repositories"
          value={isOfAll ? 'all' : 'some'}
          onChange={({ currentTarget }) => setOfAll(currentTarget.value === 'all')}
          data={[
            { value: 'all', label: 'All that I read, those to come too' },
            { value: 'some', label: 'Only some of them' },
          ]}
        />
        {!isOfAll && (
          <ul className={`${classes.branches} ${own.repositories}`}>
            {repositories.map(({ id, full_name }) => (
              <li key={id}>
                <Checkbox
                  label={full_name}
                  checked={chosen.has(id)}
                  onChange={({ currentTarget }) => setChosen(withMember(chosen, id, currentTarget.checked))}
                />
              </li>
            ))}
          </ul>
        )}
      </fieldset>
      <NativeSelect
        label="Ends after"
        value={endsAfter}
        onChange={({ currentTarget }) => setEndsAfter(Number(currentTarget.value))}
        data={days.map((count) => ({ value: String(count), label: count === 1 ? 'A day' : `${count} days` }))}
      />
      {make.error && <Banner meaning="bad">{`The token could not be made. ${causeOf(make.error)}`}</Banner>}
      <div className={classes.answer}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" disabled={!isWhole} loading={make.isPending}>
          Make token
        </Button>
      </div>
    </form>
  );
}

function withMember<Member>(members: ReadonlySet<Member>, member: Member, isIn: boolean): ReadonlySet<Member> {
  const next = new Set(members);
  if (isIn) next.add(member);
  else next.delete(member);
  return next;
}
