import { type PropertyChoice, propertyChoices, type WantedProperties } from '#domain/pull-request-properties.ts';
import { Select } from '../kit/select.tsx';
import classes from './filter-box.module.css';

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly value: Value | undefined;
  readonly options: readonly Value[];
  readonly word: (value: Value) => string;
  /** The words for not filtering. */
  readonly neutral: string;
  readonly onChange: (value: Value | undefined) => void;
}

/** One of a few words or none of them. */
export function Choice<Value extends string>({ label, value, options, word, neutral, onChange }: ChoiceProps<Value>) {
  return (
    <Select
      aria-label={label}
      className={`${classes.choice} ${value === undefined ? '' : classes.chosen}`}
      value={value ?? ''}
      onChange={({ currentTarget }) => onChange(options.find((option) => option === currentTarget.value))}
      data={[{ value: '', label: neutral }, ...options.map((option) => ({ value: option, label: word(option) }))]}
    />
  );
}

interface Props {
  readonly name: keyof WantedProperties;
  readonly value: PropertyChoice;
  readonly onChange: (value: PropertyChoice) => void;
}

/** Drafts, bots or agents with all others, without them or alone. */
export function PropertyFilter({ name, value, onChange }: Props) {
  const capitalized = name.charAt(0).toUpperCase() + name.slice(1);
  return (
    <Choice
      label={capitalized}
      value={value}
      options={propertyChoices}
      word={(wanted) => (wanted === 'hide' ? `Without ${name}` : `${capitalized} only`)}
      neutral={`With ${name}`}
      onChange={onChange}
    />
  );
}
