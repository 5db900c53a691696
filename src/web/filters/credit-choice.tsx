import { VisuallyHidden } from '@mantine/core';
import { useUrlFilter } from '../url/url-filter.ts';
import { useCredit } from './credit.ts';
import classes from './credit-choice.module.css';

/** Counts agents' pull requests to who started them, kept in the address as `credit=started` (docs/product.md#reviewers-and-developers). */
export function CreditChoice() {
  const isOn = useCredit().credit !== undefined;
  const [, setCredit] = useUrlFilter('credit');
  return (
    <>
      <label
        className={classes.choice}
        data-tip="What an agent opened counts as authored by the person who started it, too."
      >
        <input
          type="checkbox"
          checked={isOn}
          onChange={({ currentTarget }) => setCredit(currentTarget.checked ? 'started' : undefined)}
        />
        Count agents’ pull requests to who started them
      </label>
      <VisuallyHidden role="status">
        {isOn && 'Agents’ pull requests are counted to who started them, too.'}
      </VisuallyHidden>
    </>
  );
}
