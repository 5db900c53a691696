import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { askTeams } from '../api/questions.ts';
import { rememberTeam } from './remembered-team.ts';

/** Forgets the team by which an address was completed where it is gone, or is not this person's to see, and takes it out again. */
export function ForgetGoneTeam({ team }: { readonly team: string }) {
  const { data: teams, isStale } = useQuery(askTeams());
  const navigate = useNavigate();
  // An older answer may not have a team that was made since.
  const isGone = !isStale && teams?.some(({ id }) => String(id) === team) === false;
  useEffect(() => {
    if (!isGone) return;
    rememberTeam(undefined);
    void navigate({ to: '.', search: {}, replace: true });
  }, [isGone, navigate]);
  return null;
}
