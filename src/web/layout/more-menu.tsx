import { Menu } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';
import { AnchoredMenu } from '../kit/anchored-menu.tsx';
import type { MenuState } from '../kit/menu-button.tsx';
import { linkedPages, linkOf } from './pages.ts';

/** The links for which the navigation's row has no room. */
export default function MoreMenu(state: MenuState) {
  const current = linkOf(useLocation().pathname);
  return (
    <AnchoredMenu {...state} label="More pages" width={200}>
      {linkedPages
        .filter(({ link }) => link === 'later')
        .map(({ href, title }) => (
          <Menu.Item key={href} component={Link} to={href} aria-current={href === current ? 'page' : undefined}>
            {title}
          </Menu.Item>
        ))}
    </AnchoredMenu>
  );
}
