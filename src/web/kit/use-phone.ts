import { useScreen } from './is-printing.ts';

/** Whether the window is narrower than 768 px, a phone's or a desktop's at twice the size: tables are lists and filters are behind a button there. Never on paper. */
export function usePhone(): boolean {
  return useScreen('(max-width: 47.99em)', false);
}
