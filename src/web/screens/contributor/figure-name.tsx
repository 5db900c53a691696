import type { ReactNode } from 'react';
import { definitionsOfContributors } from '#domain/definitions-of-contributors.ts';
import { Explain } from '../../panels/explain.tsx';
import { useView } from './view.ts';

interface Props {
  readonly of: keyof typeof definitionsOfContributors;
  /** Other words than the definition's name. */
  readonly children?: ReactNode;
}

/** The name of a figure of the person on the page, which explains itself. */
export function FigureName({ of, children }: Props) {
  const { username, period, repository } = useView();
  return (
    <Explain metric={of} username={username} period={period} {...(repository && { repository: repository.id })}>
      {children ?? definitionsOfContributors[of].name}
    </Explain>
  );
}
