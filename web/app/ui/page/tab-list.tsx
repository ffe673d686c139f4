import { Tabs } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import './tab-list.css';

/** A single row of tabs that scrolls if it is too wide and keeps the active tab in view. */
export function TabList({ open, children }: { open: string; children: ReactNode }) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = list.current;
    const tab = element?.querySelector<HTMLElement>(`[data-tab="${open}"]`);
    if (element && tab) element.scrollLeft = tab.offsetLeft - (element.clientWidth - tab.offsetWidth) / 2;
  }, [open]);
  return (
    <Tabs.List ref={list} className="tab-list">
      {children}
    </Tabs.List>
  );
}
