import type { ReactNode } from 'react';
import type { definitionsOfContributors } from '#domain/metrics/people.ts';
import type { Compared } from './comparison.ts';
import { FigureName } from './figure-name.tsx';

interface Props {
  readonly of: keyof typeof definitionsOfContributors;
  readonly compared: Compared;
  readonly children: ReactNode;
}

/** A figure of the person who is compared, which explains itself. The team's is a mean over people, which the page explains in words. */
export function OtherFigure({ of, compared, children }: Props) {
  if (compared.metrics === null) return <>{children}</>;
  return (
    <FigureName of={of} whose={compared.metrics.username}>
      {children}
    </FigureName>
  );
}
