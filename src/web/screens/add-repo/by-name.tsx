import { Button, TextInput } from '@mantine/core';
import { CheckIcon, XIcon } from '@primer/octicons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { ApiError, api } from '../../api/client.ts';
import { keyOf } from '../../api/query.ts';
import { Banner } from '../../kit/banner.tsx';
import { Card, Panel } from '../../kit/card.tsx';
import { causeOf } from '../../kit/error-state.tsx';
import { useHostName } from '../../session/session.tsx';
import { useSync } from '../../sync/sync-state.tsx';
import { WebhookSetup } from '../../sync/webhook-setup.tsx';
import { AccessReport } from './access-report.tsx';
import classes from './add-repo.module.css';
import { FirstSync } from './first-sync.tsx';
import { type RepositoryAddress, readRepositoryAddress } from './repository-address.ts';
import { Step } from './step.tsx';

/** Connects one repository by its name: test the access, watch the first sync, set up the webhook. */
export function ByName() {
  const host = useHostName();
  const queries = useQueryClient();
  const sync = useSync();
  const [owner, setOwner] = useState('');
  const [name, setName] = useState('');
  const [missing, setMissing] = useState(false);
  const test = useMutation({ mutationFn: (repository: RepositoryAddress) => api.testAccess({ body: repository }) });
  const add = useMutation({
    mutationFn: (repository: RepositoryAddress) => api.connectRepository({ body: repository }),
    onSuccess: async ({ id }) => {
      await queries.invalidateQueries({ queryKey: keyOf('listConnectedRepositories') });
      sync.start('smart', id);
    },
  });
  const added = add.data;
  const isFixed = add.isPending || added !== undefined;
  const ownerField = useRef<HTMLInputElement>(null);
  const incomplete = owner === '' || name === '';

  const withRepository = (act: (repository: RepositoryAddress) => void) => {
    const repository = { owner: owner.trim(), name: name.trim() };
    const complete = repository.owner !== '' && repository.name !== '';
    setMissing(!complete);
    if (complete) act(repository);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    withRepository((repository) => {
      test.reset();
      add.mutate(repository);
    });
  };
  /** What was said of another name is said no longer. */
  const forget = () => {
    setMissing(false);
    test.reset();
    if (add.isError) add.reset();
  };
  const addAnother = () => {
    add.reset();
    setOwner('');
    setName('');
    ownerField.current?.focus();
  };
  const changeName = (text: string) => {
    forget();
    const address = readRepositoryAddress(text);
    if (address === null) return setName(text);
    setOwner(address.owner);
    setName(address.name);
  };

  return (
    <div className={classes.columns}>
      <Panel label="Steps">
        <ol className={classes.steps}>
          <Step
            mark={added ? 'done' : '1'}
            title="Choose the repository"
            why="Or paste its address into the name field."
          >
            <form className={classes.fields} onSubmit={submit}>
              <TextInput
                ref={ownerField}
                label="Repository owner"
                value={owner}
                onChange={(event) => {
                  forget();
                  setOwner(event.currentTarget.value);
                }}
                readOnly={isFixed}
                autoComplete="off"
                autoCapitalize="off"
                spellCheck={false}
              />
              <span className={classes.slash} aria-hidden="true">
                /
              </span>
              <TextInput
                label="Repository name"
                value={name}
                onChange={(event) => changeName(event.currentTarget.value)}
                readOnly={isFixed}
                autoComplete="off"
                autoCapitalize="off"
                spellCheck={false}
              />
              {added ? (
                <Button variant="default" onClick={addAnother}>
                  Add another
                </Button>
              ) : (
                <Button
                  variant="default"
                  disabled={incomplete || isFixed}
                  loading={test.isPending}
                  onClick={() =>
                    withRepository((repository) => {
                      add.reset();
                      test.mutate(repository);
                    })
                  }
                >
                  Test Access
                </Button>
              )}
              <Button type="submit" disabled={incomplete || added !== undefined} loading={add.isPending}>
                {added ? 'Added' : 'Add Repository'}
              </Button>
            </form>
            {missing && <Banner meaning="bad">Please enter both repository owner and name</Banner>}
            {test.error && <Banner meaning="bad">{`Failed to test GitHub access\n${causeOf(test.error)}`}</Banner>}
            {add.error && <Banner meaning="bad">{addFailure(add.error)}</Banner>}
            {test.data && <AccessReport report={test.data} />}
          </Step>
          <FirstSync key={added?.id} repository={added} />
          <Step
            mark="3"
            current={added !== undefined}
            title="Set up the webhook"
            why="Optional. With it, changes arrive within seconds; without it, with each sync."
          >
            {added && <WebhookSetup repository={added} note="Also in Settings later" />}
          </Step>
        </ol>
      </Panel>
      <Side host={host} />
    </div>
  );
}

/** The server's words, or ours where the answer had none. */
function addFailure(error: unknown): string {
  if (!(error instanceof ApiError) || error.status === null || error.code !== null) return causeOf(error);
  const wordless = error.message === `Request failed: ${error.status}` || error.message.trimStart().startsWith('{');
  return wordless ? `Failed to add repository (${error.status})` : error.message;
}

const read = ['Pull requests, reviews, comments, commits', 'Names of changed files and line counts', 'Check results'];
const notRead = ['File contents and diffs', 'Issues, secrets, settings'];

function Side({ host }: { host: string }) {
  return (
    <div className={classes.side}>
      <Card title="What is read, what is not">
        <ul className={classes.checks}>
          {read.map((what) => (
            <li key={what}>
              <CheckIcon size={16} className={classes.good ?? ''} />
              {what}
            </li>
          ))}
          {notRead.map((what) => (
            <li key={what} className={classes.why}>
              <XIcon size={16} aria-label="not read" />
              {what}
            </li>
          ))}
        </ul>
        <p className={classes.after}>
          Mergelight writes nothing to {host}, save a webhook when you press the button for it. Everything stays in the
          database on your server.
        </p>
      </Card>
      <Card title="If a repository cannot be read">
        <p className={classes.why}>
          “Cannot access repository” mostly means one of three things: the name is misspelt, the organisation has not
          approved the app, or your account has no access. Test Access says which.
        </p>
      </Card>
    </div>
  );
}
