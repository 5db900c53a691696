import type { ReactNode } from 'react';
import classes from './fold-button.module.css';

interface FoldButtonProps {
  readonly unfolded: boolean;
  readonly onToggle: (unfolded: boolean) => void;
  readonly children: ReactNode;
}

/** At the foot of a list that shows its first rows: the rest of them, and back. */
export function FoldButton({ unfolded, onToggle, children }: FoldButtonProps) {
  return (
    <button type="button" className={classes.fold} aria-expanded={unfolded} onClick={() => onToggle(!unfolded)}>
      {children}
    </button>
  );
}
