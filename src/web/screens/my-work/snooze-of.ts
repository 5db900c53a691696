import { createContext, useContext } from 'react';
import type { SnoozeChoice } from './snoozes.ts';

/** Snoozes the item of the row around. */
export const SnoozeOfRow = createContext<(choice: SnoozeChoice) => void>(() => undefined);

export const useSnoozeOfRow = () => useContext(SnoozeOfRow);
