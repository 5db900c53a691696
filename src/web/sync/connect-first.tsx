import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { askConnectedRepositories } from '../api/questions.ts';
import { EmptyState } from '../kit/empty-state.tsx';

interface Props {
  /** What there is nothing of, in a line: 'No review data available'. */
  readonly title: string;
  /** What is shown where a repository is connected. */
  readonly children: ReactNode;
}

/** What a list without rows says: where no repository is connected, nothing else can be the reason, and a link leads on. */
export function ConnectFirst({ title, children }: Props) {
  const repositories = useQuery(askConnectedRepositories()).data;
  if (repositories === undefined || repositories.length > 0) return children;
  return (
    <EmptyState
      title={title}
      why="No repository is connected yet."
      next={<Link to="/add-repo">Connect a repository</Link>}
    />
  );
}
