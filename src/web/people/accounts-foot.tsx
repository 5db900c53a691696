import { counted } from '#domain/counted.ts';
import type { AccountKind } from '#domain/pull-request.ts';
import { useUrlFilter } from '../url/url-filter.ts';
import classes from './people-table.module.css';

/** Whether bots and agents are shown among people, kept in the address as `accounts=all`. */
export function useAllAccounts(): readonly [boolean, (all: boolean) => void] {
  const [accounts, setAccounts] = useUrlFilter('accounts');
  return [accounts === 'all', (all) => setAccounts(all ? 'all' : undefined)];
}

/** Whether a row is a person's: bots and agents stand in people lists only when asked for (docs/product.md#reviewers-and-developers). */
export function isPerson({ kind }: { readonly kind: AccountKind }): boolean {
  return kind !== 'bot' && kind !== 'agent';
}

/** "14 people"; "14 accounts" where bots or agents are among them. */
export function accountsWords(rows: readonly { readonly kind: AccountKind }[]): string {
  return rows.every(isPerson) ? counted(rows.length, 'person', 'people') : counted(rows.length, 'account');
}

/** Says who counts, and shows or hides the bots and agents of a list; `others` is how many there are. */
export function AccountsFoot({ others }: { others: number }) {
  const [all, setAll] = useAllAccounts();
  if (others === 0) return <span>Humans only.</span>;
  return (
    <span>
      {all ? 'Bots and agents are shown.' : 'Humans only.'}{' '}
      <button type="button" className={classes.show} onClick={() => setAll(!all)}>
        {all ? 'Show humans only' : `Show ${counted(others, 'bot or agent', 'bots and agents')}`}
      </button>
    </span>
  );
}
