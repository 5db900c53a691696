import { expect, it } from 'vitest';
import { drawn } from '../../../test/e2e/support/drawn.ts';
import { DataTable } from './data-table.tsx';

const listed = (isPlaceholderData: boolean) =>
  drawn(
    <DataTable<{ readonly name: string }>
      label="Names"
      columns={[{ id: 'name', title: 'Name', cell: ({ name }) => name }]}
      rowKey={({ name }) => name}
      answer={{ data: [], error: null, refetch: () => undefined, isPlaceholderData }}
      failure="Failed to fetch names"
      empty="Nobody here"
      sort={null}
    />,
  );

it('says that there are none of the question that was answered, not of the one under way', async () => {
  expect(await listed(false)).toContain('Nobody here');
  expect(await listed(true)).not.toContain('Nobody here');
  expect(await listed(true)).toContain('<table');
});
