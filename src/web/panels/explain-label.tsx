import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import classes from './explain.module.css';

const HOVER_DELAY = 300;

/** What an explanation's popover is given. */
export interface PopoverState {
  readonly opened: boolean;
  /** Opened by a press or by Enter, not by hovering: the focus moves into it and comes back. */
  readonly withFocus: boolean;
  readonly onClose: () => void;
  readonly onPointerEnter: () => void;
  readonly onPointerLeave: () => void;
}

interface Props {
  readonly children: ReactNode;
  /** Loaded when it is first wanted. */
  readonly popover: (state: PopoverState) => ReactNode;
}

/**
 * A figure's label with a dotted underline that opens its explanation, after 300 ms of hovering, on a press or on Enter. Escape closes it and
 * gives the focus back.
 */
export function ExplainLabel({ children, popover }: Props) {
  const [opened, setOpened] = useState(false);
  const [wanted, setWanted] = useState(false);
  const [withFocus, setWithFocus] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const stay = () => clearTimeout(timer.current);
  const turn = (open: boolean) => {
    stay();
    if (open) setWanted(true);
    else setWithFocus(false);
    setOpened(open);
  };
  const later = (open: boolean) => {
    stay();
    timer.current = setTimeout(() => turn(open), HOVER_DELAY);
  };
  // What was opened by a press stays when its content grows or shrinks away from under the pointer.
  const leave = () => {
    if (!withFocus) later(false);
  };
  const close = () => {
    if (withFocus) button.current?.focus({ preventScroll: true });
    turn(false);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <span className={classes.explain}>
      <button
        ref={button}
        type="button"
        className={classes.label}
        aria-haspopup="dialog"
        aria-expanded={opened}
        onPointerEnter={(event) => event.pointerType === 'mouse' && later(true)}
        onPointerLeave={(event) => event.pointerType === 'mouse' && leave()}
        onClick={() => {
          setWithFocus(true);
          turn(true);
        }}
      >
        {children}
      </button>
      {wanted && (
        <Suspense>
          {popover({
            opened,
            withFocus,
            onClose: close,
            onPointerEnter: stay,
            onPointerLeave: leave,
          })}
        </Suspense>
      )}
    </span>
  );
}
