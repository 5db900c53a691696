import { ActionIcon, Button, VisuallyHidden } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { AlertIcon, CheckIcon, CopyIcon, EyeClosedIcon, EyeIcon } from '@primer/octicons-react';
import { type ReactNode, useEffect, useState } from 'react';
import classes from './copy-field.module.css';

const NOT_COPIED = 'Could not be copied';

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
  const { copied, copy, error } = useClipboard({ timeout: 2_000 });
  // What could not be copied is taken by hand.
  useEffect(() => {
    if (error !== null) setRevealed(true);
  }, [error]);
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
          leftSection={error ? <AlertIcon size={14} /> : copied ? <CheckIcon size={14} /> : <CopyIcon size={14} />}
          aria-label={`Copy ${label}`}
          onClick={() => copy(value)}
        >
          {error ? NOT_COPIED : copied ? 'Copied' : 'Copy'}
        </Button>
        <VisuallyHidden role="status">{error && NOT_COPIED}</VisuallyHidden>
      </div>
    </div>
  );
}
