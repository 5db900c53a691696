import { useTimeout } from '@mantine/hooks';
import { type ReactNode, useRef, useState } from 'react';
import { LazyPart } from '../kit/lazy-part.tsx';
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
  const pointed = useRef(false);
  const turn = (open: boolean) => {
    stay();
    if (open) setWanted(true);
    else setWithFocus(false);
    setOpened(open);
  };
  const { start, clear: stay } = useTimeout(turn, HOVER_DELAY);
  const later = (open: boolean) => {
    stay();
    start(open);
  };
  // What was opened by a press stays when its content grows or shrinks away from under the pointer.
  const leave = () => {
    if (!withFocus) later(false);
  };
  // A label that comes to lie under a resting pointer, as a dialog closes or the page scrolls, is not pointed at.
  const move = () => {
    if (!pointed.current) later(true);
    pointed.current = true;
  };
  const close = () => {
    if (withFocus) button.current?.focus({ preventScroll: true });
    turn(false);
  };
  const fail = () => {
    setWanted(false);
    turn(false);
  };
  return (
    <span className={classes.explain}>
      <button
        ref={button}
        type="button"
        className={classes.label}
        data-on-paper
        aria-haspopup="dialog"
        aria-expanded={opened}
        onPointerMove={(event) => event.pointerType === 'mouse' && move()}
        onPointerLeave={(event) => {
          pointed.current = false;
          if (event.pointerType === 'mouse') leave();
        }}
        onClick={() => {
          setWithFocus(true);
          turn(true);
        }}
      >
        {children}
      </button>
      {wanted && (
        <LazyPart onFail={fail}>
          {popover({
            opened,
            withFocus,
            onClose: close,
            onPointerEnter: stay,
            onPointerLeave: leave,
          })}
        </LazyPart>
      )}
    </span>
  );
}
