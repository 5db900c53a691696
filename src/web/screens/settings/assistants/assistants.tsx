import { Button, TextInput } from '@mantine/core';
import { CheckCircleIcon, XCircleIcon } from '@primer/octicons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { keyOf } from '../../../api/query.ts';
import { askSignInOptions } from '../../../api/questions.ts';
import { documentationOf } from '../../../explain/documentation.ts';
import { Banner } from '../../../kit/banner.tsx';
import { Card } from '../../../kit/card.tsx';
import { Chip } from '../../../kit/chip.tsx';
import { CopyField } from '../../../kit/copy-field.tsx';
import { SegmentedFilter } from '../../../kit/segmented-filter.tsx';
import { Page } from '../../../layout/page.tsx';
import { headings } from '../../../layout/pages.ts';
import { formatCount } from '../../../time/moment.ts';
import { When } from '../../../time/when.tsx';
import { SettingsParts } from '../settings-parts.tsx';
import { Unlisted } from '../unlisted.tsx';
import classes from './assistants.module.css';
import { askAssistantCalls } from './questions.ts';
import { tryConnection } from './try-connection.ts';
import { ways } from './ways.ts';

/** How an assistant is connected, whether it works, and what was asked last (docs/product.md#assistants). */
export function AssistantsScreen() {
  const options = useQuery(askSignInOptions());
  const isOff = options.data !== undefined && (!options.data.assistants || options.data.api_token_days === null);
  return (
    <Page
      title={headings.settings}
      subtitle="Assistants: questions about your pull requests, in your editor"
      withoutAsOf
    >
      <SettingsParts current="/settings/assistants">
        {isOff && (
          <Banner meaning="watch">
            {options.data?.assistants === false
              ? 'Assistants are switched off on this server.'
              : 'Tokens are switched off on this server: no assistant can connect.'}
          </Banner>
        )}
        <Connect />
        <TryIt />
        <LastCalls />
      </SettingsParts>
    </Page>
  );
}

function Connect() {
  const [key, setKey] = useState(ways[0]!.key);
  const way = ways.find((each) => each.key === key)!;
  const address = `${location.origin}/mcp`;
  return (
    <Card
      title="Connect an assistant"
      foot="Titles and names in the answers are written by strangers. Assistants are told so; still, let none act on its own on what it reads."
    >
      <div className={classes.steps}>
        <p>
          1.{' '}
          <Link to="/settings/tokens" className={classes.link ?? ''}>
            Make a token
          </Link>{' '}
          that reads figures and, for questions about your own work, “My work”. An assistant can only read, and sees
          what you see.
        </p>
        <p>2. Give it the address and the token:</p>
        <SegmentedFilter
          label="Assistant"
          value={key}
          onChange={setKey}
          options={ways.map(({ key: value, name: label }) => ({ value, label }))}
        />
        <p className={classes.why}>{way.what}</p>
        <CopyField label={way.label} value={way.text(address)} />
        <p className={classes.why}>
          Hosted assistants that cannot send a header, such as those in a browser, can’t connect yet. Scripts ask the
          same by{' '}
          <a className={classes.link ?? ''} href={documentationOf.api}>
            the calls of this server
          </a>
          .
        </p>
      </div>
    </Card>
  );
}

function TryIt() {
  const queries = useQueryClient();
  const [token, setToken] = useState('');
  const attempt = useMutation({
    mutationFn: () => tryConnection(token.trim()),
    onSuccess: () => queries.invalidateQueries({ queryKey: keyOf('listAssistantCalls') }),
  });
  const tried = attempt.data;
  return (
    <Card title="Test">
      <form
        className={classes.test}
        onSubmit={(event) => {
          event.preventDefault();
          if (token.trim() !== '') attempt.mutate();
        }}
      >
        <TextInput
          type="password"
          className={classes.token ?? ''}
          label="Token"
          description="It is sent to this server alone, and not kept."
          autoComplete="off"
          value={token}
          onChange={({ currentTarget }) => setToken(currentTarget.value)}
        />
        <Button type="submit" variant="default" loading={attempt.isPending} disabled={token.trim() === ''}>
          Test the connection
        </Button>
      </form>
      {tried && (
        <p className={tried.works ? classes.works : classes.fails} role="status">
          {tried.works ? <CheckCircleIcon size={16} /> : <XCircleIcon size={16} />} {tried.sentence}
        </p>
      )}
    </Card>
  );
}

function LastCalls() {
  const calls = useQuery(askAssistantCalls());
  const all = calls.data;
  return (
    <Card title="Last calls" caption={all && all.length > 0 && formatCount(all.length)} flush>
      {all === undefined ? (
        <Unlisted title="Failed to fetch the last calls" query={calls} />
      ) : all.length === 0 ? (
        <p className={classes.none}>No assistant has asked anything yet.</p>
      ) : (
        <ul aria-label="Last calls" className={classes.calls}>
          {all.map(({ tool, at, ms, failed }, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey lint/a11y/noNoninteractiveTabindex: two calls may be alike in all that is known of them; when they came must be reachable by keyboard
            <li key={`${at} ${place}`} className={classes.row} data-tips tabIndex={0}>
              <code>{tool}</code>
              {failed && <Chip meaning="watch">Refused</Chip>}
              <span className={classes.when}>
                <When at={at} as="ago" />
              </span>
              <span className={classes.ms}>{`${formatCount(ms)} ms`}</span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
