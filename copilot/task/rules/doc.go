// Package rules plans tasks by the fixed rules of package skill: the same task on the same pages is planned the same
// way. [Skills] is a [task.Planner]. What pages say changes which element is meant, and never what is done.
package rules
