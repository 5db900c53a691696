import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { AgentSettings } from '#contract/accounts.ts';
import { knownTools, toolName } from '#domain/known-tools.ts';
import { api } from '../../api/client.ts';
import { Banner } from '../../kit/banner.tsx';
import { Card } from '../../kit/card.tsx';
import { causeOf } from '../../kit/error-state.tsx';
import { passFocus } from '../../kit/focus-back.ts';
import { useUser } from '../../session/session.tsx';
import { askAgentSettings } from './questions.ts';
import classes from './settings.module.css';
import { Unlisted } from './unlisted.tsx';

const HEAD = 'agent-labels';
const head = (
  <span id={HEAD} tabIndex={-1}>
    Labels of AI tools
  </span>
);

type Labels = AgentSettings['labels'];

/** Whether the card below is shown: to administrators, and to others once a label is named. */
export function useSeesAgentLabels(): boolean {
  const { administrator } = useUser();
  const labels = useQuery(askAgentSettings()).data?.labels ?? [];
  return administrator || labels.length > 0;
}

/** Labels that say which AI tool took part in a pull request; administrators name them, for everyone. */
export function AgentLabels() {
  const { administrator } = useUser();
  const isSeen = useSeesAgentLabels();
  const settings = useQuery({ ...askAgentSettings(), refetchOnWindowFocus: 'always' });
  const queries = useQueryClient();
  const save = useMutation({
    // What is stored now is changed: another administrator may have named labels since it was fetched.
    mutationFn: async (change: (stored: Labels) => Labels) => {
      const { labels } = await api.getAgentSettings();
      return await api.saveAgentSettings({ body: { labels: change(labels) } });
    },
    onSuccess: () => queries.invalidateQueries(),
  });
  const labels = settings.data?.labels;
  if (!isSeen) return null;
  return (
    <Card title={head} caption="pull requests that carry one are written with the tool">
      {administrator && labels !== undefined && (
        <AddLabel
          busy={save.isPending}
          onAdd={(label, tool) => save.mutateAsync((stored) => [...without(stored, label), { label, tool }])}
        />
      )}
      {save.error !== null && <Banner meaning="bad">{causeOf(save.error)}</Banner>}
      {labels === undefined ? (
        <Unlisted title="The labels could not be fetched" query={settings} />
      ) : labels.length === 0 ? (
        <p className={classes.why}>
          No label is named. “claude-code-assisted” and “copilot” are recognized by themselves.
        </p>
      ) : (
        <ul aria-label="Labels of AI tools">
          {labels.map(({ label, tool }) => (
            <li key={label} className={classes.marked}>
              <span className={`${classes.what} ${classes.name}`} dir="auto">
                {label}
              </span>
              <span className={classes.quiet}>{toolName(tool)}</span>
              {administrator && (
                <Button
                  ref={passFocus(HEAD)}
                  variant="subtle"
                  color="gray"
                  aria-label={`Remove the label ${label}`}
                  disabled={save.isPending}
                  onClick={() => save.mutate((stored) => without(stored, label))}
                >
                  Remove
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function without(labels: Labels, label: string): Labels {
  return labels.filter((one) => one.label.toLowerCase() !== label.toLowerCase());
}

interface AddLabelProps {
  readonly busy: boolean;
  readonly onAdd: (label: string, tool: string) => Promise<unknown>;
}

function AddLabel({ busy, onAdd }: AddLabelProps) {
  const [label, setLabel] = useState('');
  const [tool, setTool] = useState<string>(knownTools[0]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // What went wrong is told below the form; what was typed stays.
    onAdd(label.trim(), tool).then(
      () => setLabel((typed) => (typed === label ? '' : typed)),
      () => undefined,
    );
  };
  return (
    <form className={classes.mark} onSubmit={submit}>
      <TextInput
        label="Label"
        value={label}
        onChange={(event) => setLabel(event.currentTarget.value)}
        autoComplete="off"
        spellCheck={false}
      />
      <NativeSelect
        label="stands for"
        value={tool}
        onChange={(event) => setTool(event.currentTarget.value)}
        data={knownTools.map((value) => ({ value, label: toolName(value) }))}
      />
      <Button type="submit" variant="default" disabled={label.trim() === ''} loading={busy}>
        Add
      </Button>
    </form>
  );
}
