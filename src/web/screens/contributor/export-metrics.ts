import { useMutation } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { api } from '../../api/client.ts';
import { useUser } from '../../session/session.tsx';
import { download } from '../../table/csv.ts';
import { dayOf } from '../../time/moment.ts';
import { useNow } from '../../time/now.ts';
import type { View } from './questions.ts';

export const exportFormats = ['csv', 'pdf', 'json'] as const;

export type ExportFormat = (typeof exportFormats)[number];

export interface Export {
  readonly running: boolean;
  /** Why the last one failed; null without a failure. */
  readonly error: Error | null;
  readonly start: (format: ExportFormat) => void;
  readonly dismiss: () => void;
}

/** Downloads the view's figures and pull requests under the name that the server gives them. */
export function useExport({ username, period, repository, team, credit }: View): Export {
  const now = useNow();
  const { time_zone } = useUser();
  const { isPending, error, mutate, reset } = useMutation({
    mutationFn: async (format: ExportFormat) => {
      const { blob, filename } = await api.exportContributor({
        body: {
          username,
          period,
          format,
          repository: repository?.id ?? null,
          ...(team !== undefined && { team }),
          ...(credit !== undefined && { credit }),
        },
      });
      download(filename ?? `${username}_metrics_${dayOf(now, time_zone)}.${format}`, blob, blob.type);
    },
  });
  return { running: isPending, error, start: mutate, dismiss: reset };
}

export const ExportContext = createContext<Export | null>(null);

/** The export of the page around. */
export function useExportOfPage(): Export {
  const value = useContext(ExportContext);
  if (value === null) throw new Error('useExportOfPage needs an ExportContext above it.');
  return value;
}
