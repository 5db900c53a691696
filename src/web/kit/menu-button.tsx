import { type ComponentType, type ReactNode, useState } from 'react';
import { LazyPart } from './lazy-part.tsx';
import classes from './menu-button.module.css';

/** What a lazily loaded menu is given. */
export interface MenuState {
  readonly opened: boolean;
  readonly onClose: () => void;
}

interface ButtonProps {
  readonly onClick: () => void;
  readonly 'aria-haspopup': 'menu';
  readonly 'aria-expanded': boolean;
}

interface Props {
  /** Loaded at the first press; built with `AnchoredMenu`. */
  readonly menu: ComponentType<MenuState>;
  readonly children: (button: ButtonProps) => ReactNode;
}

/** A button whose menu is loaded when it is first opened, so that a page's first load does without menus. */
export function MenuButton({ menu: Menu, children }: Props) {
  const [opened, setOpened] = useState(false);
  const [wanted, setWanted] = useState(false);
  const open = () => {
    setWanted(true);
    setOpened(true);
  };
  const close = () => setOpened(false);
  const fail = () => {
    setWanted(false);
    close();
  };
  return (
    <span className={classes.root}>
      {children({ onClick: open, 'aria-haspopup': 'menu', 'aria-expanded': opened })}
      {wanted && (
        <LazyPart onFail={fail}>
          <Menu opened={opened} onClose={close} />
        </LazyPart>
      )}
    </span>
  );
}
