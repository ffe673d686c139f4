import { Button } from '@mantine/core';
import { ChartColumn, Table2 } from 'lucide-react';
import type { ReactNode } from 'react';
import './charts.css';

interface ChartFigureProps {
  title: string;
  /** What the numbers mean. */
  definition?: ReactNode;
  isTable: boolean;
  onToggle: () => void;
  actions?: ReactNode;
  children: ReactNode;
}

/** A chart with title, definition and a toggle between chart and table. */
export function ChartFigure({ title, definition, isTable, onToggle, actions, children }: ChartFigureProps) {
  return (
    <figure className="chart-figure">
      <figcaption>
        <h2>{title}</h2>
        <div className="chart-actions no-print">
          {actions}
          <Button
            variant="default"
            size="compact-sm"
            leftSection={isTable ? <ChartColumn size={14} /> : <Table2 size={14} />}
            onClick={onToggle}
          >
            {isTable ? 'View as chart' : 'View as table'}
          </Button>
        </div>
        {definition !== undefined && <p className="dimmed">{definition}</p>}
      </figcaption>
      {children}
    </figure>
  );
}
