import '@mantine/core/styles/ScrollArea.layer.css';
import '@mantine/core/styles/Popover.layer.css';
import { CloseButton, Popover } from '@mantine/core';
import type { Definition } from '#domain/definition.ts';
import { definitions, type FigureKey } from '#domain/definitions.ts';
import classes from './explain.module.css';
import type { PopoverState } from './explain-label.tsx';

interface Props extends PopoverState {
  readonly figure: FigureKey;
}

/** The popover of `Defined`. */
export default function DefinitionPopover({
  figure,
  opened,
  withFocus,
  onClose,
  onPointerEnter,
  onPointerLeave,
}: Props) {
  const { name, definition, window, leftOut }: Definition = definitions[figure];
  return (
    <Popover
      opened={opened}
      onChange={(open) => !open && onClose()}
      width={392}
      position="bottom-start"
      trapFocus={withFocus}
      returnFocus={withFocus}
      withRoles={false}
    >
      <Popover.Target>
        <span aria-hidden="true" className={classes.anchor} />
      </Popover.Target>
      <Popover.Dropdown
        className={classes.dropdown ?? ''}
        role="dialog"
        aria-label="Explain this number"
        onPointerEnter={onPointerEnter}
        onPointerLeave={onPointerLeave}
      >
        <div className={classes.head}>
          {name}
          <CloseButton size="sm" aria-label="Close" onClick={onClose} />
        </div>
        <p className={classes.definition}>{definition}</p>
        <dl className={classes.rows}>
          <div>
            <dt>Window</dt>
            <dd>{window}</dd>
          </div>
        </dl>
        {leftOut !== null && (
          <div className={classes.leftOut}>
            Left out
            <ul>
              <li>{leftOut}</li>
            </ul>
          </div>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}
