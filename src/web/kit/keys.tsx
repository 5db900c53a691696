import { Key } from './key.tsx';
import classes from './keys.module.css';

/** The key of commands on this machine. */
export function commandKey(): 'Ctrl' | '⌘' {
  return /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl';
}

/** Keys to press, one after the other or together, as a hint for the eye. */
export function Keys({ keys }: { keys: readonly string[] }) {
  return (
    <span className={classes.keys}>
      {keys.map((key) => (
        <Key key={key}>{key}</Key>
      ))}
    </span>
  );
}
