import type { ReactNode } from 'react';
import classes from './person.module.css';

/** A login as screens show it: a bot's without `[bot]`, which its chip says; the API and exports keep it. */
export function shownLogin(login: string): string {
  return login.replace(/\[bot\]$/i, '');
}

/** What a person is called where one name has room and a sentence or an axis wants it: the display name, else the login. */
export function nameOf(login: string, displayName: string | null): string {
  return displayName ?? shownLogin(login);
}

/** Both names in one text, for tooltips and options: "Ilse Marren (ilse-m)"; the login alone where there is no other name. */
export function bothNames(login: string, displayName: string | null | undefined): string {
  const shown = shownLogin(login);
  return displayName == null || displayName === shown ? shown : `${displayName} (${shown})`;
}

interface Props {
  readonly login: string;
  readonly displayName: string | null;
  /** Draws the leading name, e.g. as a link. */
  readonly link?: (name: string) => ReactNode;
}

/** A person's display name with the login in grey, where there is room for both; the login alone where there is no other name. */
export function PersonName({ login, displayName, link = (name) => name }: Props) {
  const shown = shownLogin(login);
  if (displayName === null || displayName === shown) return <bdi>{link(shown)}</bdi>;
  return (
    <>
      <bdi>{link(displayName)}</bdi> <span className={classes.login}>{shown}</span>
    </>
  );
}
