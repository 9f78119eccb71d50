// The interface of realtime_tools::RealtimeBuffer, for one thread.
#pragma once

namespace realtime_tools
{
template<class T> class RealtimeBuffer
{
public:
  T * readFromRT() {return &data_;}
  void writeFromNonRT(const T & data) {data_ = data;}

private:
  T data_{};
};
}  // namespace realtime_tools
