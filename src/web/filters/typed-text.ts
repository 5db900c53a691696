import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';

export interface TypedText {
  /** What the field shows. */
  readonly shown: string;
  /** Shows a text at once and tells of it 300 ms after the last one. */
  readonly type: (text: string) => void;
  /** Shows a text and tells of it at once. */
  readonly set: (text: string) => void;
}

/**
 * The text of a field whose value is kept elsewhere, such as in the address. A value that comes from somebody else is shown instead; what was
 * told here comes back later than the next letter is typed, and takes none away.
 */
export function useTypedText(value: string, onChange: (text: string) => void): TypedText {
  const [shown, setShown] = useState(value);
  /** The value, and what was told since. */
  const told = useRef([value]);
  const tell = (text: string) => {
    told.current.push(text);
    onChange(text);
  };
  const later = useDebouncedCallback(tell, 300);
  useEffect(() => {
    // What was told last settles all before it.
    const at = told.current.at(-1) === value ? told.current.length - 1 : told.current.indexOf(value);
    told.current = at === -1 ? [value] : told.current.slice(at);
    if (at !== -1) return;
    later.cancel();
    setShown(value);
  }, [value, later]);
  return {
    shown,
    type: (text) => {
      setShown(text);
      later(text);
    },
    set: (text) => {
      later.cancel();
      setShown(text);
      tell(text);
    },
  };
}
