import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { InboxMessage } from '#contract/message-previews.ts';
import { Card } from '../../../kit/card.tsx';
import { Chip } from '../../../kit/chip.tsx';
import { When } from '../../../time/when.tsx';
import { Unlisted } from '../unlisted.tsx';
import { Letter } from './letter.tsx';
import classes from './notifications.module.css';
import { askInbox } from './questions.ts';
import { messageTypeNames } from './words.ts';

/** How often to look for what arrived, in milliseconds. */
const LOOK_EVERY = 5_000;

/** What the demo would have sent to this visitor: it arrives here, whatever channel it was for. */
export function Inbox() {
  const inbox = useQuery({ ...askInbox(), refetchInterval: LOOK_EVERY, refetchIntervalInBackground: false });
  const messages = inbox.data?.messages;
  const [opened, setOpened] = useState<string | null>(null);
  return (
    <Card
      title="Inbox of the demo"
      caption="whatever channel a message of the demo is for, it arrives here and leaves this server for nowhere"
      flush
    >
      {messages === undefined ? (
        <Unlisted title="Failed to fetch the inbox" query={inbox} />
      ) : messages.length === 0 ? (
        <p className={classes.none}>Nothing has arrived yet. Send a test, or switch a message on.</p>
      ) : (
        <ul aria-label="Inbox of the demo">
          {messages.map((message) => (
            <Message
              key={message.id}
              message={message}
              isOpen={opened === message.id}
              onToggle={() => setOpened(opened === message.id ? null : message.id)}
            />
          ))}
        </ul>
      )}
    </Card>
  );
}

interface Props {
  readonly message: InboxMessage;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

function Message({ message: { at, type, to, subject, letter, raw }, isOpen, onToggle }: Props) {
  const id = useId();
  return (
    <li className={classes.arrived} data-tips>
      <button
        type="button"
        className={classes.arrivedHead}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={onToggle}
      >
        <span className={classes.arrivedSubject}>{subject}</span>
        <Chip meaning="outlined">{messageTypeNames[type]}</Chip>
        <span className={classes.arrivedTo}>{to}</span>
        <span className={classes.quiet}>
          <When at={at} as="ago" />
        </span>
      </button>
      <div id={id} hidden={!isOpen} className={classes.arrivedBody}>
        {isOpen && <Written label="Message that arrived" letter={letter} raw={raw} />}
      </div>
    </li>
  );
}

/** A message as it reads or, on demand, exactly as it is sent. */
export function Written({ label, letter, raw }: Pick<InboxMessage, 'letter' | 'raw'> & { readonly label: string }) {
  const [exactly, setExactly] = useState(letter === null);
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long message is scrolled by keyboard, too */}
      <section className={classes.message} aria-label={label} tabIndex={0}>
        {exactly || letter === null ? (
          <pre className={classes.messageText}>{linked(raw)}</pre>
        ) : (
          <Letter letter={letter} />
        )}
      </section>
      {letter !== null && (
        <Button variant="subtle" size="compact-sm" aria-pressed={exactly} onClick={() => setExactly(!exactly)}>
          {exactly ? 'As it reads' : 'Exactly what is sent'}
        </Button>
      )}
    </>
  );
}

/** Addresses of this server, on lines of their own, as links: those by which something is confirmed. */
function linked(text: string) {
  return text.split('\n').map((line, at) => {
    const words = at === 0 ? line : `\n${line}`;
    if (!line.startsWith(`${window.location.origin}/`) || /\s/.test(line)) return words;
    return (
      <span key={line}>
        {'\n'}
        <a href={line}>{line}</a>
      </span>
    );
  });
}
