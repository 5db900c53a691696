import { NativeSelect } from '@mantine/core';
import { waitingOnLabel } from '#domain/whose-turn.ts';
import classes from './prs.module.css';
import { type PullRequestsSearch, properties, turns } from './search.ts';

interface Props {
  readonly search: PullRequestsSearch;
  readonly onChange: (next: PullRequestsSearch) => void;
}

/** What the list shows beside state and search: whom a pull request waits for, and drafts, bots and agents with, without or alone. */
export function Filters({ search, onChange }: Props) {
  return (
    <div className={classes.filters}>
      <Choice
        label="Whose turn"
        value={search.turn}
        options={turns}
        word={(turn) => waitingOnLabel(turn)}
        neutral="Anyone’s turn"
        onChange={(turn) => onChange({ turn })}
      />
      {(['drafts', 'bots', 'agents'] as const).map((name) => (
        <Choice
          key={name}
          label={capitalized(name)}
          value={search[name]}
          options={properties}
          word={(wanted) => (wanted === 'hide' ? `Without ${name}` : `${capitalized(name)} only`)}
          neutral={`With ${name}`}
          onChange={(wanted) => onChange({ [name]: wanted })}
        />
      ))}
    </div>
  );
}

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly value: Value | undefined;
  readonly options: readonly Value[];
  readonly word: (value: Value) => string;
  /** The words for not filtering. */
  readonly neutral: string;
  readonly onChange: (value: Value | undefined) => void;
}

function Choice<Value extends string>({ label, value, options, word, neutral, onChange }: ChoiceProps<Value>) {
  return (
    <NativeSelect
      aria-label={label}
      data-active={value !== undefined || undefined}
      className={classes.filter ?? ''}
      value={value ?? ''}
      onChange={({ currentTarget }) => onChange(options.find((option) => option === currentTarget.value))}
      data={[{ value: '', label: neutral }, ...options.map((option) => ({ value: option, label: word(option) }))]}
    />
  );
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
