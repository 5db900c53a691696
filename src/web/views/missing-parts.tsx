import { Banner } from '../kit/banner.tsx';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /**
     * Set where the address came of a kept view: whether parts of it were taken out. Whoever chooses something else has an address of their
     * own.
     */
    readonly partsMissing?: boolean | 'group';
  }
}

/** A strip below the header of a view that its reader got without what they don't see. */
export function MissingParts({ what }: { readonly what: true | 'group' }) {
  return (
    <Banner meaning="note">
      {what === 'group' ? 'This group is gone.' : 'Parts of this view aren’t yours to see'}
    </Banner>
  );
}
