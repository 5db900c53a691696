import {
  BellIcon,
  BookmarkIcon,
  CommentDiscussionIcon,
  DependabotIcon,
  DeviceDesktopIcon,
  KeyIcon,
  MeterIcon,
  PeopleIcon,
  PersonIcon,
  RepoIcon,
  ShieldLockIcon,
  SlidersIcon,
  TagIcon,
  TrashIcon,
} from '@primer/octicons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useUser } from '../../session/session.tsx';
import { useSeesAgentLabels } from './agent-labels.tsx';
import classes from './settings-parts.module.css';

/** Parts with a page of their own. */
type OwnPage = '/settings/notifications' | '/settings/tokens' | '/settings/assistants';

interface Part {
  readonly title: string;
  readonly icon: typeof BellIcon;
  /** The address of a part with a page of its own, else the part's id on the page of all others. */
  readonly at: { readonly to: OwnPage | '/administration' } | { readonly hash: string };
  /** To whom alone it is shown. */
  readonly only?: 'administrators' | 'seeing labels';
}

const parts: readonly Part[] = [
  { title: 'Repositories', icon: RepoIcon, at: { hash: 'connected-repositories' } },
  { title: 'Account', icon: PersonIcon, at: { hash: 'account' } },
  { title: 'Preferences', icon: SlidersIcon, at: { hash: 'preferences' } },
  { title: 'Notifications', icon: BellIcon, at: { to: '/settings/notifications' } },
  { title: 'Teams', icon: PeopleIcon, at: { hash: 'teams' } },
  { title: 'Kept views', icon: BookmarkIcon, at: { hash: 'kept-views' } },
  { title: 'Sessions', icon: DeviceDesktopIcon, at: { hash: 'sessions' } },
  { title: 'Tokens', icon: KeyIcon, at: { to: '/settings/tokens' } },
  { title: 'Assistants', icon: CommentDiscussionIcon, at: { to: '/settings/assistants' } },
  { title: 'Bots, agents, humans', icon: DependabotIcon, at: { hash: 'account-kinds' } },
  { title: 'Labels of AI tools', icon: TagIcon, at: { hash: 'agent-labels' }, only: 'seeing labels' },
  { title: 'Thresholds', icon: MeterIcon, at: { hash: 'thresholds' } },
  { title: 'Delete my account', icon: TrashIcon, at: { hash: 'delete-account' } },
  { title: 'Administration', icon: ShieldLockIcon, at: { to: '/administration' }, only: 'administrators' },
];

interface Props {
  /** The part that is open, where it has a page of its own. */
  readonly current: OwnPage | null;
  readonly children: ReactNode;
}

/** The list of the settings' parts beside the part that is open; above it where there is no room. */
export function SettingsParts({ current, children }: Props) {
  const { administrator } = useUser();
  const isShownTo = { administrators: administrator, 'seeing labels': useSeesAgentLabels() };
  return (
    <div className={classes.columns}>
      <nav aria-label="Settings" className={classes.parts}>
        <ul>
          {parts
            .filter(({ only }) => only === undefined || isShownTo[only])
            .map(({ title, icon: Icon, at }) => {
              const isCurrent = 'to' in at && at.to === current;
              const target = 'to' in at ? at : { to: '/settings' as const, hash: at.hash };
              return (
                <li key={title}>
                  <Link
                    {...target}
                    className={`${classes.part} ${isCurrent ? classes.current : ''}`}
                    {...(isCurrent && { 'aria-current': 'page' as const })}
                  >
                    <Icon size={16} />
                    {title}
                  </Link>
                </li>
              );
            })}
        </ul>
      </nav>
      <div className={classes.content}>{children}</div>
    </div>
  );
}
