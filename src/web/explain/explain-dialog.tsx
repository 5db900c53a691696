import '@mantine/core/styles/ScrollArea.layer.css';
import '@mantine/core/styles/Popover.layer.css';
import { CloseButton, Popover } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import type { CSSProperties, ReactNode } from 'react';
import classes from './explain.module.css';
import type { PopoverState } from './explain-label.tsx';

/** The floating dialog of every explanation, at the label that opened it, or where `anchor` says (docs/product.md#words-and-errors). */
export function ExplainDialog({
  opened,
  withFocus,
  onClose,
  onPointerEnter,
  onPointerLeave,
  anchor,
  children,
}: PopoverState & { readonly anchor?: CSSProperties | undefined; readonly children: ReactNode }) {
  // The focus leaves the dialog while its label is scrolled out of sight.
  useWindowEvent('keydown', ({ key }) => {
    if (opened && key === 'Escape') onClose();
  });
  return (
    <Popover
      opened={opened}
      onChange={(open) => !open && onClose()}
      width={392}
      position="bottom-start"
      arrowOffset={24}
      arrowSize={10}
      offset={6}
      trapFocus={withFocus}
      returnFocus={withFocus}
      withRoles={false}
    >
      <Popover.Target>
        <span aria-hidden="true" className={classes.anchor} style={anchor} />
      </Popover.Target>
      <Popover.Dropdown
        className={classes.dropdown ?? ''}
        role="dialog"
        aria-label="Explain this number"
        onPointerEnter={onPointerEnter}
        onPointerLeave={onPointerLeave}
      >
        {children}
      </Popover.Dropdown>
    </Popover>
  );
}

interface HeadProps {
  readonly name: string;
  readonly definition: string | undefined;
  readonly onClose: () => void;
}

/** How every explanation begins: the figure's name and one sentence of what it means. */
export function ExplainHead({ name, definition, onClose }: HeadProps) {
  return (
    <>
      <div className={classes.head}>
        {name}
        <CloseButton size="sm" aria-label="Close" onClick={onClose} />
      </div>
      <p className={classes.definition}>{definition}</p>
    </>
  );
}

/** A line of an explanation: what it is and what it comes to. */
export function ExplainPair({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** What does not count, below the figures. */
export function LeftOut({ children }: { readonly children: ReactNode }) {
  return (
    <div className={classes.leftOut}>
      Left out
      <ul>{children}</ul>
    </div>
  );
}
