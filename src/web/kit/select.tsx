import { TriangleDownIcon } from '@primer/octicons-react';
import type { ChangeEventHandler, ReactNode } from 'react';
import classes from './select.module.css';

interface Props {
  /** Its name for assistive technology. */
  readonly 'aria-label': string;
  readonly className?: string | undefined;
  readonly icon?: ReactNode;
  readonly value: string | number;
  readonly onChange: ChangeEventHandler<HTMLSelectElement>;
  readonly data: readonly { readonly value: string; readonly label: string }[];
}

/** The browser's own choice of one of a few words, as filters and pickers have it: the first load does without the component library's. */
export function Select({ className = '', icon, data, ...select }: Props) {
  return (
    <span className={`${classes.box} ${icon === undefined ? '' : classes.withIcon} ${className}`} data-screen-only>
      {icon !== undefined && <span className={classes.icon}>{icon}</span>}
      <select className={classes.select} {...select}>
        {data.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <TriangleDownIcon size={16} className={classes.mark ?? ''} />
    </span>
  );
}
