import { ActionIcon, Button, Loader, VisuallyHidden } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { PlusIcon, SearchIcon, ThreeBarsIcon, TriangleDownIcon } from '@primer/octicons-react';
import { useIsFetching, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { lazy, type ReactNode, useEffect, useRef } from 'react';
import { part } from '../api/part.ts';
import { LazyPart } from '../kit/lazy-part.tsx';
import { MenuButton } from '../kit/menu-button.tsx';
import { scrollToMiddle } from '../kit/scroll-within.ts';
import { Face } from '../people/person.tsx';
import { askStuckCounts } from '../pull-requests/questions.ts';
import { useUser } from '../session/session.tsx';
import { SyncButton } from '../sync/sync-button.tsx';
import { formatCount } from '../time/moment.ts';
import { ContributorSearch } from './contributor-search.tsx';
import classes from './header.module.css';
import { Mark } from './mark.tsx';
import { linkedPages, linkOf } from './pages.ts';
import { showOverlay } from './palette-state.ts';
import { useTurnCount } from './turn-count.ts';

const AccountMenu = lazy(part(() => import('./account-menu.tsx')));
const MoreMenu = lazy(part(() => import('./more-menu.tsx')));
const NavigationDrawer = lazy(part(() => import('./navigation-drawer.tsx')));

/** The top navigation of signed-in pages: two rows, of which the links stay in sight; on a phone a drawer holds them and what else has no room. */
export function Header() {
  const [menuOpened, menu] = useDisclosure(false);
  const queries = useQueryClient();
  const { pathname } = useLocation();
  const close = menu.close;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the drawer closes when the page changes
  useEffect(close, [pathname, close]);
  const refresh = () => void queries.invalidateQueries();

  return (
    <>
      <header className={classes.header}>
        <div className={`${classes.inner} ${classes.top}`}>
          <ActionIcon className={classes.menu ?? ''} aria-label="Menu" aria-expanded={menuOpened} onClick={menu.open}>
            <ThreeBarsIcon size={16} />
          </ActionIcon>
          <Link to="/dashboard" className={classes.brand}>
            <Mark />
            Mergelight
          </Link>
          <div className={`${classes.search} ${classes.wide}`}>
            <ContributorSearch variant="nav" />
          </div>
          <ActionIcon className={classes.narrow ?? ''} aria-label="Search" onClick={() => showOverlay('palette')}>
            <SearchIcon size={16} />
          </ActionIcon>
          <SyncButton />
          <Button
            className={classes.refresh ?? ''}
            variant="default"
            data-tip="Reload all figures on this page from Mergelight"
            onClick={refresh}
          >
            Refresh Data
          </Button>
          <AvatarMenu />
        </div>
      </header>
      <div className={classes.links}>
        <Tabs counts={counts} />
        <Busy />
      </div>
      {menuOpened && (
        <LazyPart onFail={close}>
          <NavigationDrawer onClose={menu.close} onRefresh={refresh}>
            <Links counts={counts} />
            <AddLink />
          </NavigationDrawer>
        </LazyPart>
      )}
    </>
  );
}

/** The header before it is known who is looking: the ways are there, what belongs to a person is a grey shape. */
export function HeaderLoading() {
  return (
    <>
      <header className={classes.header}>
        <div className={`${classes.inner} ${classes.top}`}>
          <ActionIcon className={classes.menu ?? ''} aria-label="Menu" disabled>
            <ThreeBarsIcon size={16} />
          </ActionIcon>
          <Link to="/dashboard" className={classes.brand}>
            <Mark />
            Mergelight
          </Link>
          <span className={`${classes.shape} ${classes.search} ${classes.wide}`} aria-hidden="true" />
          <span className={classes.shape} aria-hidden="true" />
          <Loader size={20} className={classes.avatar ?? ''} aria-hidden="true" />
        </div>
      </header>
      <div className={classes.links}>
        <Tabs counts={unknownCounts} />
      </div>
    </>
  );
}

/** How many are stuck, beside the link that leads to them; keeps its room until that is known. */
function StuckCount() {
  const { data, isPending } = useQuery(askStuckCounts());
  if (isPending) return unknownCount;
  return data !== undefined && data.all > 0 && <span className={classes.count}>{formatCount(data.all)}</span>;
}

/** How many wait for the signed-in person. */
function TurnCount() {
  const count = useTurnCount(true);
  if (count === undefined) return unknownCount;
  return count !== null && <span className={`${classes.count} ${classes.mine}`}>{count}</span>;
}

const unknownCount = <span className={`${classes.count} ${classes.unknown}`} />;

/** What stands beside links, by the address they lead to. */
type Counts = Readonly<Record<string, ReactNode>>;

const counts: Counts = { '/my-work': <TurnCount />, '/stuck-prs': <StuckCount /> };
const unknownCounts: Counts = { '/my-work': unknownCount, '/stuck-prs': unknownCount };

/** The row of links; those that have no room in it are under "More". */
function Tabs({ counts }: { readonly counts: Counts }) {
  return (
    <nav aria-label="Main" className={`${classes.inner} ${classes.tabs}`}>
      <div className={classes.row}>
        <Links counts={counts} />
      </div>
      <More />
      <AddLink />
    </nav>
  );
}

function Links({ counts }: { readonly counts: Counts }) {
  const current = linkOf(useLocation().pathname);
  const currentLink = useRef<HTMLAnchorElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: on a phone the tab of the new page scrolls into sight
  useEffect(() => {
    const row = currentLink.current?.parentElement;
    if (currentLink.current && row) scrollToMiddle(row, currentLink.current);
  }, [current]);
  return linkedPages.map(({ href, title, link }) => (
    <Link
      key={href}
      to={href}
      className={`${classes.tab} ${link === 'later' ? classes.later : ''}`}
      ref={href === current ? currentLink : null}
      aria-current={href === current ? 'page' : undefined}
    >
      {title}
      {counts[href]}
    </Link>
  ));
}

function More() {
  const current = linkOf(useLocation().pathname);
  const shown = linkedPages.find(({ href, link }) => link === 'later' && href === current);
  return (
    <div className={classes.more}>
      <MenuButton menu={MoreMenu}>
        {(button) => (
          <button type="button" className={classes.tab} data-current={shown !== undefined || undefined} {...button}>
            More
            {shown !== undefined && <VisuallyHidden>, {shown.title} is shown</VisuallyHidden>}
            <TriangleDownIcon size={16} />
          </button>
        )}
      </MenuButton>
    </div>
  );
}

function AddLink() {
  const { pathname } = useLocation();
  return (
    <Link
      to="/add-repo"
      className={`${classes.tab} ${classes.add}`}
      aria-current={pathname === '/add-repo' ? 'page' : undefined}
    >
      <PlusIcon size={14} />
      <span className={classes.addWords}>Add repository</span>
    </Link>
  );
}

/** The thin bar under the header while figures on screen are fetched again. */
function Busy() {
  const fetching = useIsFetching({ predicate: (query) => query.state.data !== undefined });
  return fetching > 0 ? <div className={classes.busy} aria-hidden="true" /> : null;
}

function AvatarMenu() {
  const user = useUser();
  return (
    <MenuButton menu={AccountMenu}>
      {(button) => (
        <button type="button" className={classes.avatar} aria-label={`Account of ${user.github_username}`} {...button}>
          <Face name={user.github_username} avatarUrl={user.avatar_url} size={28} />
        </button>
      )}
    </MenuButton>
  );
}
