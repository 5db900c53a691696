import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useChangeSearch } from '../../url/url-state.ts';
import classes from './controls.module.css';
import { leavesOutBranches } from './search.ts';
import { useTrendsSearch } from './use-trends-search.ts';

/** Labels, any of which a pull request has; and for figures of the review practice all base branches. */
export function MoreFilters() {
  const { labels, allBases, figures } = useTrendsSearch();
  const change = useChangeSearch();
  const wanted = labels.join(', ');
  const [typed, setTyped] = useState(wanted);
  const [before, setBefore] = useState(wanted);
  // What is chosen elsewhere, as by clearing the filters, is shown instead.
  if (before !== wanted) {
    setBefore(wanted);
    setTyped(wanted);
  }
  const why = figures.some(leavesOutBranches)
    ? undefined
    : 'The figures shown count every base branch; only those of the review practice leave branches out.';
  const keep = () => {
    const asked = typed
      .split(',')
      .map((label) => label.trim())
      .filter((label) => label !== '');
    change({ labels: asked.length === 0 ? undefined : asked.join(',') });
  };
  return (
    <div className={classes.more}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          keep();
        }}
      >
        <TextInput
          label="Labels"
          description="Any of these, separated by commas"
          placeholder="bug, security"
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          onBlur={keep}
        />
      </form>
      <label className={classes.tick} data-tip={why}>
        <input
          type="checkbox"
          checked={allBases}
          aria-disabled={why !== undefined}
          onChange={({ currentTarget }) =>
            why === undefined && change({ all_bases: currentTarget.checked ? 'true' : undefined })
          }
        />
        All base branches
      </label>
      {why !== undefined && <p className={classes.note}>{why}</p>}
    </div>
  );
}
