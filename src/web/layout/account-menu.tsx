import { Menu } from '@mantine/core';
import { BookmarkIcon, GearIcon, ShieldLockIcon, SignOutIcon } from '@primer/octicons-react';
import { Link } from '@tanstack/react-router';
import { AnchoredMenu } from '../kit/anchored-menu.tsx';
import type { MenuState } from '../kit/menu-button.tsx';
import { useUser } from '../session/session.tsx';
import { useSignOut } from '../session/sign-out.ts';

/** What the avatar in the navigation opens. */
export default function AccountMenu(state: MenuState) {
  const user = useUser();
  const signOut = useSignOut('/');
  return (
    <AnchoredMenu {...state} label="Account" width={220}>
      <Menu.Label>{user.github_username}</Menu.Label>
      <Menu.Item leftSection={<GearIcon size={14} />} component={Link} to="/settings">
        Settings
      </Menu.Item>
      <Menu.Item leftSection={<BookmarkIcon size={14} />} component={Link} to="/settings" hash="kept-views">
        Kept views
      </Menu.Item>
      {user.administrator && (
        <Menu.Item leftSection={<ShieldLockIcon size={14} />} component={Link} to="/administration">
          Administration
        </Menu.Item>
      )}
      <Menu.Item leftSection={<SignOutIcon size={14} />} onClick={() => void signOut()}>
        Log out
      </Menu.Item>
    </AnchoredMenu>
  );
}
