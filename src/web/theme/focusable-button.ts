import { type ComponentProps, createElement, useState } from 'react';

/**
 * The element of the kit's buttons. One that cannot be pressed any more while it has the focus, as it loads or has done what it does, keeps
 * it until the focus moves on: from a `disabled` one the browser would take it to the beginning of the page.
 */
export function FocusableButton({ type, disabled, onClick, onFocus, onBlur, ...props }: ComponentProps<'button'>) {
  const [isFocused, setFocused] = useState(false);
  const isKept = isFocused && disabled === true;
  return createElement('button', {
    type: 'button',
    // The kit says it of its own element alone: without one a button would send its form.
    ...(type !== undefined && { type }),
    ...props,
    ...(isKept ? { 'aria-disabled': true } : { disabled }),
    onClick: isKept ? (event) => event.preventDefault() : onClick,
    onFocus: (event) => {
      setFocused(true);
      onFocus?.(event);
    },
    onBlur: (event) => {
      setFocused(false);
      onBlur?.(event);
    },
  });
}
