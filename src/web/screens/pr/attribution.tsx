import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { PullRequestDetail } from '#contract/pull-requests.ts';
import { knownTools, toolName } from '#domain/known-tools.ts';
import { api } from '../../api/client.ts';
import { Banner } from '../../kit/banner.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { causeOf } from '../../kit/error-state.tsx';
import { agentWords, creditedWords, VISITORS_READ } from '../../people/agents.ts';
import { shownLogin } from '../../people/person-name.tsx';
import { useIsVisitor } from '../../session/session.tsx';
import classes from './attribution.module.css';
import { askPullRequest } from './questions.ts';
import type { PullRequestAddress } from './refresh.ts';

interface Props {
  readonly detail: PullRequestDetail;
  readonly address: PullRequestAddress;
}

const confidenceWords = {
  account: 'the account',
  commit: 'a commit',
  said: 'somebody said so',
  branch: 'the branch’s name',
} as const;

type Choice = PullRequestDetail['authorship'];
const authorshipWords: Readonly<Record<Choice, string>> = {
  human: 'A person',
  assisted: 'A person with an agent',
  agent: 'An agent',
  bot: 'A bot',
  ghost: 'A deleted account',
};
/** What somebody can say; a bot’s or a deleted account’s it is until somebody says otherwise. */
const sayable = ['human', 'assisted', 'agent'] as const;

/** Opens what is known of who wrote it and who started it, and how; there whoever may says it better. */
export function WhyDoWeThinkSo(props: Props) {
  const [opened, setOpened] = useState(false);
  const { authorship, corrected, evidence } = props.detail;
  const isPlain = authorship === 'human' && evidence.length === 0 && !corrected.authorship && !corrected.credit;
  return (
    <>
      <Button id="why-who-wrote-it" variant="subtle" size="compact-sm" color="gray" onClick={() => setOpened(true)}>
        {isPlain ? 'Who wrote it?' : 'Why do we think so?'}
      </Button>
      {opened && (
        <Dialog title="Who wrote it" otherwise="why-who-wrote-it" onClose={() => setOpened(false)}>
          <Known {...props} />
          <Correction {...props} />
        </Dialog>
      )}
    </>
  );
}

/** What is known, with every trace that was found. */
function Known({ detail }: Props) {
  const { author, authorship, credited_to, credit_by, evidence, traces_read } = detail;
  const words = agentWords(detail) ?? `by ${shownLogin(author)}`;
  return (
    <div className={classes.known}>
      <p>
        Written <strong>{words}</strong>.
        {authorship === 'agent' &&
          credited_to !== null &&
          credit_by !== null &&
          ` ${shownLogin(credited_to)} ${creditedWords[credit_by]}.`}
      </p>
      {!traces_read && <p>Not all of its traces have been read yet.</p>}
      {evidence.length === 0 ? (
        <p className={classes.quiet}>No trace of an agent was found. Traces can be stripped: this says at least.</p>
      ) : (
        <table className={classes.evidence}>
          <caption>What was found. Traces can be stripped: this says at least.</caption>
          <thead>
            <tr>
              <th scope="col">Trace</th>
              <th scope="col">Tool</th>
              <th scope="col">Known by</th>
            </tr>
          </thead>
          <tbody>
            {evidence.map((one) => (
              <tr key={`${one.rule} ${one.tool} ${one.text}`}>
                <td dir="auto">
                  {one.text}
                  {one.confidence === 'commit' && one.source !== null && (
                    <span className={classes.quiet}> in {one.source.slice(0, 7)}</span>
                  )}
                </td>
                <td>{toolName(one.tool)}</td>
                <td>{confidenceWords[one.confidence]}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}

/** Says it better, or takes back what somebody said. */
export function Correction({ detail, address }: Props) {
  const { corrected } = detail;
  const isVisitor = useIsVisitor();
  const queries = useQueryClient();
  const shown = fieldsOf(detail);
  const [choice, setChoice] = useState(shown.choice);
  const [tool, setTool] = useState(shown.tool);
  const [login, setLogin] = useState(shown.login);
  /** What the fields began with, or was saved since: what others have said meanwhile is nothing that this form says. */
  const [known, setKnown] = useState(shown);
  const [followed, setFollowed] = useState(shown);
  if (shown.choice !== followed.choice || shown.tool !== followed.tool || shown.login !== followed.login) {
    // A field that was not touched follows; one that was keeps what it is compared with, too.
    const follows = { choice: choice === known.choice, tool: tool === known.tool, login: login.trim() === known.login };
    setFollowed(shown);
    if (follows.choice) setChoice(shown.choice);
    if (follows.tool) setTool(shown.tool);
    if (follows.login) setLogin(shown.login);
    setKnown({
      choice: follows.choice ? shown.choice : known.choice,
      tool: follows.tool ? shown.tool : known.tool,
      login: follows.login ? shown.login : known.login,
    });
  }
  const said = sayable.find((one) => one === choice);
  const hasTool = choice === 'assisted' || choice === 'agent';
  const saysWho = said !== undefined && (choice !== known.choice || (hasTool && tool !== known.tool));
  const saysCredit = login.trim() !== known.login;
  const save = useMutation({
    mutationFn: async () => {
      if (saysWho) {
        await api.correctAuthorship({
          params: address,
          body: { authorship: said, tool: (hasTool && tool) || null },
        });
        setKnown((before) => ({ ...before, choice, tool }));
      }
      if (saysCredit) {
        await api.correctCredit({ params: address, body: { username: login.trim() || null } });
        setKnown((before) => ({ ...before, login: login.trim() }));
      }
    },
    onSettled: () => queries.invalidateQueries(),
  });
  const undo = useMutation({
    mutationFn: async () => {
      if (corrected.authorship) await api.withdrawAuthorship({ params: address });
      if (corrected.credit) await api.withdrawCredit({ params: address });
    },
    onSuccess: async () => {
      await queries.invalidateQueries();
      const fresh = queries.getQueryData(askPullRequest(address).queryKey);
      if (fresh === undefined) return;
      const now = fieldsOf(fresh);
      setChoice(now.choice);
      setTool(now.tool);
      setLogin(now.login);
      setKnown(now);
    },
  });
  const choices = [...new Set([choice, shown.choice].filter((one) => one === 'bot' || one === 'ghost')), ...sayable];
  const problem = save.error ?? undo.error;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isVisitor && !save.isPending && (saysWho || saysCredit)) save.mutate();
  };
  return (
    <form className={classes.correction} onSubmit={submit}>
      <h3>Say it better</h3>
      <p className={classes.quiet}>
        {isVisitor
          ? VISITORS_READ
          : 'For its author, the credited person, and whoever may write to the repository; everybody sees it.'}
      </p>
      <div className={classes.fields}>
        <NativeSelect
          label="Written by"
          value={choice}
          onChange={({ currentTarget }) => setChoice(choices.find((one) => one === currentTarget.value) ?? choice)}
          data={choices.map((value) => ({ value, label: authorshipWords[value] }))}
        />
        {hasTool && (
          <NativeSelect
            label="Tool"
            value={tool}
            onChange={({ currentTarget }) => setTool(currentTarget.value)}
            data={[
              { value: '', label: 'Not known' },
              ...[...new Set([...knownTools, ...detail.agents, ...(tool === '' ? [] : [tool])])].map((value) => ({
                value,
                label: toolName(value),
              })),
            ]}
          />
        )}
        <TextInput
          label="Started by"
          placeholder="Nobody"
          value={login}
          onChange={({ currentTarget }) => setLogin(currentTarget.value)}
        />
      </div>
      {problem !== null && <Banner meaning="bad">{causeOf(problem)}</Banner>}
      <div className={classes.buttons}>
        <Button type="submit" aria-disabled={isVisitor || save.isPending || (!saysWho && !saysCredit)}>
          {save.isPending ? 'Saving' : 'Save'}
        </Button>
        {(corrected.authorship || corrected.credit) && (
          <Button
            variant="default"
            aria-disabled={isVisitor || undo.isPending}
            onClick={() => !isVisitor && !undo.isPending && undo.mutate()}
          >
            Undo what was said by hand
          </Button>
        )}
      </div>
    </form>
  );
}

/** What the form's fields say of it. */
function fieldsOf({ authorship, agents, credited_to }: PullRequestDetail) {
  return { choice: authorship, tool: agents[0] ?? '', login: credited_to ?? '' };
}
