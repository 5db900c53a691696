import { Menu } from '@mantine/core';
import { AnchoredMenu } from '../../kit/anchored-menu.tsx';
import type { MenuState } from '../../kit/menu-button.tsx';
import { type ExportFormat, exportFormats, useExportOfPage } from './export-metrics.ts';

const words: Readonly<Record<ExportFormat, string>> = {
  csv: 'CSV, the figures for spreadsheets',
  pdf: 'PDF, to read and print',
  json: 'JSON, for programs',
};

/** The formats of an export. */
export default function ExportMenu(state: MenuState) {
  const { start } = useExportOfPage();
  return (
    <AnchoredMenu {...state} label="Export" width={200}>
      {exportFormats.map((format) => (
        <Menu.Item key={format} onClick={() => start(format)}>
          {words[format]}
        </Menu.Item>
      ))}
    </AnchoredMenu>
  );
}
