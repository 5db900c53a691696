import type { ReactNode } from 'react';
import type { FigureKey } from '#domain/metrics/definitions.ts';
import { Explain } from '../../explain/explain.tsx';
import type { FigureToExplain } from '../../explain/explain-popover.tsx';
import { useView } from './view.ts';

type About = FigureToExplain;

/** What a part of a figure of the person on the page explains, or of the other one where a login is given. */
export function usePart(): (metric: FigureKey, key: string, name: string, username?: string) => About {
  const { username: onPage, period, repository, team, credit } = useView();
  return (metric, key, name, username = onPage) => ({
    metric,
    username,
    period,
    ...(repository && { repository: repository.id }),
    ...(team !== undefined && { team }),
    ...(credit !== undefined && { credit }),
    part: { key, name },
  });
}

interface Props {
  readonly of: FigureKey;
  /** As `/api/explain` calls the part, and in words. */
  readonly part: string;
  readonly name: string;
  /** Whose it is, unless the person’s on the page. */
  readonly username?: string | undefined;
  readonly children: ReactNode;
}

/** The figure of a part, which explains itself. */
export function PartFigure({ of, part, name, username, children }: Props) {
  const about = usePart();
  return <Explain {...about(of, part, name, username)}>{children}</Explain>;
}
