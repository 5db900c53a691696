import { ActionIcon, Button } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { CheckIcon, CopyIcon, EyeClosedIcon, EyeIcon } from '@primer/octicons-react';
import { type ReactNode, useState } from 'react';
import classes from './copy-field.module.css';

interface Props {
  readonly label: string;
  readonly value: string;
  /** Small words at the right of the label. */
  readonly note?: ReactNode;
  /** Shows dots until asked; copying works either way. */
  readonly masked?: boolean;
}

/** A value to take elsewhere: shown in a fixed-width face, copied with one press. */
export function CopyField({ label, value, note, masked = false }: Props) {
  const [revealed, setRevealed] = useState(!masked);
  const { copied, copy } = useClipboard({ timeout: 2_000 });
  return (
    <div className={classes.field}>
      <span className={classes.label}>
        {label} {note !== undefined && <small>{note}</small>}
      </span>
      <div className={classes.box}>
        <code>{revealed ? value : '•'.repeat(32)}</code>
        {masked && (
          <ActionIcon aria-label={revealed ? `Hide ${label}` : `Show ${label}`} onClick={() => setRevealed(!revealed)}>
            {revealed ? <EyeClosedIcon size={14} /> : <EyeIcon size={14} />}
          </ActionIcon>
        )}
        <Button
          className={classes.copy ?? ''}
          variant="default"
          leftSection={copied ? <CheckIcon size={14} /> : <CopyIcon size={14} />}
          aria-label={`Copy ${label}`}
          onClick={() => copy(value)}
        >
          {copied ? 'Copied' : 'Copy'}
        </Button>
      </div>
    </div>
  );
}
