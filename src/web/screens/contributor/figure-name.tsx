import type { ReactNode } from 'react';
import { definitionsOfContributors } from '#domain/metrics/people.ts';
import { Explain } from '../../explain/explain.tsx';
import { useView } from './view.ts';

interface Props {
  readonly of: keyof typeof definitionsOfContributors;
  /** Other words than the definition's name. */
  readonly children?: ReactNode;
  /** Whose figure it is, unless that of the person on the page. */
  readonly whose?: string | undefined;
}

/** The name of a figure, or the figure itself, which explains itself: that of the person on the page, or of another. */
export function FigureName({ of, children, whose }: Props) {
  const { username, period, repository, team, credit } = useView();
  return (
    <Explain
      metric={of}
      username={whose ?? username}
      period={period}
      {...(whose !== undefined && whose !== username && { named: whose })}
      {...(repository && { repository: repository.id })}
      {...(team !== undefined && { team })}
      {...(credit !== undefined && { credit })}
    >
      {children ?? definitionsOfContributors[of].name}
    </Explain>
  );
}
