import { useState } from 'react';
import { inStorage } from '../../session/in-storage.ts';
import type { SectionKey } from './words.ts';

/** The device keeps which sections were opened or closed by hand under this key. */
const KEY = 'my-work-sections';

type Kept = Readonly<Partial<Record<SectionKey, boolean>>>;

function read(): Kept {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return typeof kept === 'object' && kept !== null ? (kept as Kept) : {};
  } catch {
    // Somebody else's text under the same key is no reason to show nothing.
    return {};
  }
}

/** Whether a section is open, unless it was opened or closed by hand as it is by default, and how to do that. */
export function useOpenSections(byDefault: boolean) {
  const [kept, setKept] = useState(read);
  return {
    isOpen: (key: SectionKey) => kept[key] ?? byDefault,
    turn: (key: SectionKey, isOpen: boolean) => {
      const next = { ...kept, [key]: isOpen };
      inStorage(() => localStorage.setItem(KEY, JSON.stringify(next)));
      setKept(next);
    },
  };
}
