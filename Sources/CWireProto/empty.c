#include "CWireProto.h"
