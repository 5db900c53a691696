import { BookmarkIcon } from '@primer/octicons-react';
import { Link } from '@tanstack/react-router';
import type { KeptView } from '#contract/views.ts';
import { ownFirst } from '../../views/own-first.ts';
import classes from './pinned-views.module.css';

/** So many have room in a row or two. */
const SHOWN = 12;

/** Those that are shown. */
export function shownViews<View extends Pick<KeptView, 'mine'>>(views: readonly View[]): View[] {
  return ownFirst(views).slice(0, SHOWN);
}

/** Links to the views that are pinned, one's own and everyone's. */
export default function PinnedViews({ views }: { readonly views: readonly KeptView[] }) {
  return (
    <nav aria-label="Pinned views" data-screen-only>
      <ul className={classes.views}>
        {shownViews(views).map(({ slug, name }) => (
          <li key={slug}>
            <Link to="/v/$slug" params={{ slug }} className={classes.view}>
              <BookmarkIcon size={14} />
              <span className={classes.name} dir="auto">
                {name}
              </span>
            </Link>
          </li>
        ))}
        {views.length > SHOWN && (
          <li>
            <Link to="/settings" hash="kept-views" className={classes.view}>
              All kept views
            </Link>
          </li>
        )}
      </ul>
    </nav>
  );
}
