import { Button } from '@mantine/core';
import { KeyIcon, PlusIcon } from '@primer/octicons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, useState } from 'react';
import type { ApiToken } from '#contract/tokens.ts';
import { MOST_TOKENS } from '#domain/personal-tokens.ts';
import { api } from '../../../api/client.ts';
import { part } from '../../../api/part.ts';
import { keyOf, unlessGone } from '../../../api/query.ts';
import { askRepositories, askSignInOptions } from '../../../api/questions.ts';
import { documentationOf } from '../../../explain/documentation.ts';
import { Banner } from '../../../kit/banner.tsx';
import { Card } from '../../../kit/card.tsx';
import { Chip } from '../../../kit/chip.tsx';
import { EmptyState } from '../../../kit/empty-state.tsx';
import { LazyPart } from '../../../kit/lazy-part.tsx';
import { LossDialog } from '../../../kit/loss-dialog.tsx';
import { Page } from '../../../layout/page.tsx';
import { headings } from '../../../layout/pages.ts';
import { useUser } from '../../../session/session.tsx';
import { formatDay, instantOf } from '../../../time/moment.ts';
import { useNow } from '../../../time/now.ts';
import { When } from '../../../time/when.tsx';
import classes from '../settings.module.css';
import { SettingsParts } from '../settings-parts.tsx';
import { Unlisted } from '../unlisted.tsx';
import { askTokens } from './questions.ts';
import { repositoriesInWords, scopeWords } from './words.ts';

const TokenDialog = lazy(part(() => import('./token-dialog.tsx')));

const HEAD = 'tokens';
const head = (
  <span id={HEAD} tabIndex={-1}>
    Tokens
  </span>
);
const DAY = 86_400_000;
/** Days before its end from which that is pointed out. */
const ENDS_SOON = 7;

/** The tokens by which scripts and assistants read what this person reads (docs/product.md#tokens). */
export function TokensScreen() {
  return (
    <Page title={headings.settings} subtitle="Tokens: what scripts and assistants read for you" withoutAsOf>
      <SettingsParts current="/settings/tokens">
        <Tokens />
      </SettingsParts>
    </Page>
  );
}

function Tokens() {
  const tokens = useQuery(askTokens());
  const options = useQuery(askSignInOptions());
  const now = useNow();
  const [making, setMaking] = useState(false);
  const all = tokens.data;
  const days = options.data?.api_token_days;
  const live = all?.filter(({ expires_at }) => (instantOf(expires_at) ?? 0) > now).length ?? 0;
  return (
    <>
      {days === null && (
        <Banner meaning="watch">
          Tokens are switched off on this server: none can be made, and those that there are read nothing.
        </Banner>
      )}
      <Card
        title={head}
        caption={live > 0 && `${live} of at most ${MOST_TOKENS}`}
        controls={
          <Button
            variant="default"
            leftSection={<PlusIcon size={14} />}
            disabled={all === undefined || days == null || live >= MOST_TOKENS}
            onClick={() => setMaking(true)}
          >
            Make token
          </Button>
        }
        foot={
          <>
            A token only reads, and never more than you read at that moment. Repositories that you lose, it loses, too.
            Lists and figures come as JSON or CSV, and what changed as an export for a warehouse.{' '}
            <a className={classes.link} href={documentationOf.api}>
              What it can ask
            </a>
          </>
        }
        flush
      >
        {all === undefined ? (
          <Unlisted title="Failed to fetch your tokens" query={tokens} />
        ) : all.length === 0 ? (
          <EmptyState
            title="No tokens yet"
            why="A script, a spreadsheet or an assistant reads your figures with one, without your password or your session."
          />
        ) : (
          <ul aria-label="Tokens">
            {all.map((token) => (
              <Token key={token.id} token={token} />
            ))}
          </ul>
        )}
        {making && days != null && (
          <LazyPart onFail={() => setMaking(false)}>
            <TokenDialog maxDays={days} onClose={() => setMaking(false)} />
          </LazyPart>
        )}
      </Card>
    </>
  );
}

function Token({ token }: { readonly token: ApiToken }) {
  const { name, scopes, repositories, last_used_at, created_at } = token;
  const { data } = useQuery(askRepositories());
  const [asking, setAsking] = useState(false);
  const names = new Map(data?.map(({ id, full_name }) => [id, full_name]));
  return (
    <li className={classes.repository} data-tips>
      <span className={classes.icon}>
        <KeyIcon size={16} />
      </span>
      <div className={classes.what}>
        <div className={classes.name}>
          <b dir="auto">{name}</b>
          <End at={token.expires_at} />
        </div>
        <div className={classes.facts}>
          <span>{scopes.map((scope) => scopeWords[scope].label).join(', ')}</span>
          {(repositories === 'all' || data !== undefined) && <span>{repositoriesInWords(repositories, names)}</span>}
          <span>
            Made <When at={created_at} as="ago" />
          </span>
          <span>{last_used_at === null ? 'Never used' : <LastUse at={last_used_at} />}</span>
        </div>
      </div>
      <Button variant="default" aria-label={`Revoke ${name}`} onClick={() => setAsking(true)}>
        Revoke
      </Button>
      {asking && <RevokeToken token={token} onClose={() => setAsking(false)} />}
    </li>
  );
}

/** The hour is all that is known of it. */
function LastUse({ at }: { readonly at: string }) {
  const now = useNow();
  const instant = instantOf(at);
  if (instant !== null && now - instant < 2 * 3_600_000) return <>Used within the last two hours</>;
  return (
    <>
      Last used <When at={at} as="ago" />
    </>
  );
}

function End({ at }: { readonly at: string }) {
  const now = useNow();
  const { time_zone } = useUser();
  const instant = instantOf(at);
  if (instant === null) return null;
  const day = formatDay(instant, now, time_zone);
  if (instant <= now) return <Chip meaning="bad">{`Ended ${day}`}</Chip>;
  return <Chip meaning={instant - now < ENDS_SOON * DAY ? 'watch' : 'neutral'}>{`Ends ${day}`}</Chip>;
}

function RevokeToken({ token, onClose }: { readonly token: ApiToken; readonly onClose: () => void }) {
  const queries = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => api.revokeToken({ params: { id: token.id } }).catch(unlessGone),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: keyOf('listTokens') });
      onClose();
    },
  });
  return (
    <LossDialog
      title="Revoke token"
      action="Revoke token"
      failure="The token could not be revoked."
      loss={revoke}
      onClose={onClose}
      otherwise={HEAD}
    >
      <p>
        <b dir="auto">{token.name}</b>
      </p>
      <p className={classes.why}>Whatever reads with it reads nothing any more, from its next request on.</p>
    </LossDialog>
  );
}
