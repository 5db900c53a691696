import type { TrendFigure, TrendFigureDescription } from '#contract/trends.ts';
import { useChangeSearch } from '../../url/url-state.ts';
import classes from './controls.module.css';
import { isOfAuthorship, isOfReviewers, isSignal, MOST_FIGURES } from './search.ts';
import { useTrendsSearch } from './use-trends-search.ts';

/** All figures, of which up to six are shown beside each other. */
export function FigureList({ figures }: { readonly figures: readonly TrendFigureDescription[] }) {
  const { figures: chosen } = useTrendsSearch();
  const change = useChangeSearch();
  const turn = (key: TrendFigure) => {
    const next = chosen.includes(key) ? chosen.filter((one) => one !== key) : [...chosen, key];
    change({ figure: next.join(',') });
  };
  const groups = [
    {
      name: 'Flow',
      of: figures.filter(({ key }) => !isSignal(key) && !isOfAuthorship(key) && !isOfReviewers(key)),
    },
    { name: 'Review practice', of: figures.filter(({ key }) => isSignal(key)) },
    { name: 'AI reviewers', of: figures.filter(({ key }) => isOfReviewers(key)) },
    { name: 'Agents beside people', of: figures.filter(({ key }) => isOfAuthorship(key)) },
  ];
  return (
    <div className={classes.figures}>
      <p className={classes.note}>Up to six, each on a scale of its own.</p>
      {groups.map(({ name, of }) => (
        <fieldset key={name}>
          <legend>{name}</legend>
          {of.map(({ key, name: words }) => {
            const isChosen = chosen.includes(key);
            const why = isChosen
              ? chosen.length === 1
                ? 'One figure has to stay.'
                : undefined
              : chosen.length >= MOST_FIGURES
                ? 'Six are shown: take one away first.'
                : undefined;
            return (
              <label key={key} className={classes.tick} data-tip={why}>
                <input
                  type="checkbox"
                  checked={isChosen}
                  aria-disabled={why !== undefined}
                  onChange={() => why === undefined && turn(key)}
                />
                {words}
              </label>
            );
          })}
        </fieldset>
      ))}
    </div>
  );
}
