import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Subscription } from '#contract/notifications.ts';
import { noPlaceholder } from '../../../api/query.ts';
import { Card } from '../../../kit/card.tsx';
import { ErrorState } from '../../../kit/error-state.tsx';
import { Select } from '../../../kit/select.tsx';
import { Late, Line } from '../../../kit/skeleton.tsx';
import { Written } from './inbox.tsx';
import classes from './notifications.module.css';
import { askChannels, askPreview } from './questions.ts';
import { type Kind, kindsFor, ownChannelNames } from './words.ts';

type Channel = Subscription['channel'] | number;

/** What each message would say now by each channel, made of what really waits; nothing is sent by looking. */
export function Preview() {
  const made = useQuery(askChannels()).data ?? [];
  const [chosenKind, setKind] = useState<Kind>('turn');
  const [chosen, setChannel] = useState<Channel>('mail');
  const one = made.find(({ id }) => id === chosen);
  // One that was deleted since is not there to choose.
  const channel = typeof chosen === 'number' && one === undefined ? 'mail' : chosen;
  const kinds = kindsFor(one === undefined || one.personal ? 'person' : 'channel');
  const kind = kinds.some((each) => each.kind === chosenKind) ? chosenKind : 'daily';
  const preview = useQuery({ ...askPreview(kind, channel), placeholderData: noPlaceholder });
  const answer = preview.data;
  return (
    <Card
      title="Preview"
      controls={
        <>
          <Select
            aria-label="Message of the preview"
            value={kind}
            onChange={({ currentTarget }) => setKind(currentTarget.value as Kind)}
            data={kinds.map(({ kind: value, title }) => ({ value, label: title }))}
          />
          <Select
            aria-label="Channel of the preview"
            className={classes.previewChannel}
            value={String(channel)}
            onChange={({ currentTarget: { value } }) =>
              setChannel(value === 'mail' || value === 'slack_dm' ? value : Number(value))
            }
            data={[
              { value: 'mail', label: ownChannelNames.mail },
              { value: 'slack_dm', label: ownChannelNames.slack_dm },
              ...made.map(({ id, name }) => ({ value: String(id), label: name })),
            ]}
          />
        </>
      }
    >
      {answer === undefined ? (
        preview.error ? (
          <ErrorState
            title="Failed to fetch the preview"
            error={preview.error}
            onRetry={() => void preview.refetch()}
          />
        ) : (
          <Late>
            <div className={classes.message}>
              <Line width="60%" />
            </div>
          </Late>
        )
      ) : answer.letter === null || answer.raw === null ? (
        <p className={classes.message}>Nothing would be sent now.</p>
      ) : (
        <>
          <p className={classes.previewHead}>
            <b>{answer.letter.subject}</b>
            {answer.to !== null && <span className={classes.letterWhy}>{`to ${answer.to}`}</span>}
          </p>
          <Written key={`${kind} ${channel}`} label="What the message says" letter={answer.letter} raw={answer.raw} />
          <p className={classes.foot}>This would be sent now. No pictures, no tracking.</p>
        </>
      )}
    </Card>
  );
}
