import { documentationOf } from '../explain/documentation.ts';
import classes from './footer-links.module.css';

/** What stands at the foot of the public pages. */
export function FooterLinks() {
  return (
    <ul className={classes.links} aria-label="About Mergelight">
      <li>
        <a href={documentationOf.operating}>Self-hosting</a>
      </li>
      <li>
        <a href={documentationOf.all}>Documentation</a>
      </li>
      <li>
        <a href={documentationOf.licence}>Licence</a>
      </li>
    </ul>
  );
}
