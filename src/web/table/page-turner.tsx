import { Button } from '@mantine/core';
import { formatCount } from '../time/moment.ts';
import classes from './page-turner.module.css';

interface Props {
  /** From 1. */
  readonly page: number;
  readonly pages: number;
  readonly busy: boolean;
  readonly onTurn: (page: number) => void;
}

/** 'Page X of Y', and the way to the one before and after. */
export function PageTurner({ page, pages, busy, onTurn }: Props) {
  return (
    <nav className={classes.pages} aria-label="Pages">
      <Button variant="default" disabled={busy || page === 1} onClick={() => onTurn(page - 1)}>
        Previous
      </Button>
      <span>{`Page ${formatCount(page)} of ${formatCount(pages)}`}</span>
      <Button variant="default" disabled={busy || page === pages} onClick={() => onTurn(page + 1)}>
        Next
      </Button>
    </nav>
  );
}
