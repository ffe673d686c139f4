const ref = (name: string) => ({ Ref: name });
const attribute = (name: string, member: string) => ({ 'Fn::GetAtt': [name, member] });
const subnetBlock = (index: number) => ({ 'Fn::Select': [index, { 'Fn::Cidr': [ref('VpcCidr'), 2, 8] }] });
const tags = (name: string) => [{ Key: 'Name', Value: { 'Fn::Sub': `\${AWS::StackName}-${name}` } }];
const firstZone = { 'Fn::Select': [0, { 'Fn::GetAZs': '' }] };
const EVERYWHERE = '0.0.0.0/0';

/** A network for machines that run scans: outbound HTTPS through one address, and nothing inbound. */
export const VPC_TEMPLATE = {
  AWSTemplateFormatVersion: '2010-09-09',
  Description: 'A private network for machines that run scans for Parapet: outbound HTTPS only, nothing inbound.',
  Metadata: {
    'AWS::CloudFormation::Interface': { ParameterGroups: [{ Label: { default: 'Network' }, Parameters: ['VpcCidr'] }] },
  },
  Parameters: {
    VpcCidr: {
      Type: 'String',
      Default: '10.64.0.0/16',
      Description: 'Addresses of the network. Choose a block that overlaps with no network that you peer it with.',
      AllowedPattern: '^(\\d{1,3}\\.){3}\\d{1,3}/(1[6-9]|2[0-4])$',
      ConstraintDescription: 'an IPv4 block from /16 to /24',
    },
  },
  Resources: {
    Vpc: {
      Type: 'AWS::EC2::VPC',
      Properties: { CidrBlock: ref('VpcCidr'), EnableDnsHostnames: true, EnableDnsSupport: true, Tags: tags('vpc') },
    },
    InternetGateway: { Type: 'AWS::EC2::InternetGateway', Properties: { Tags: tags('internet') } },
    GatewayAttachment: {
      Type: 'AWS::EC2::VPCGatewayAttachment',
      Properties: { VpcId: ref('Vpc'), InternetGatewayId: ref('InternetGateway') },
    },
    PublicSubnet: {
      Type: 'AWS::EC2::Subnet',
      Properties: {
        ...{ VpcId: ref('Vpc'), AvailabilityZone: firstZone, CidrBlock: subnetBlock(0) },
        Tags: tags('public'),
      },
    },
    PublicRoutes: { Type: 'AWS::EC2::RouteTable', Properties: { VpcId: ref('Vpc'), Tags: tags('public') } },
    PublicRoute: {
      Type: 'AWS::EC2::Route',
      DependsOn: 'GatewayAttachment',
      Properties: {
        ...{ RouteTableId: ref('PublicRoutes'), DestinationCidrBlock: EVERYWHERE },
        GatewayId: ref('InternetGateway'),
      },
    },
    PublicSubnetRoutes: {
      Type: 'AWS::EC2::SubnetRouteTableAssociation',
      Properties: { SubnetId: ref('PublicSubnet'), RouteTableId: ref('PublicRoutes') },
    },
    NatAddress: { Type: 'AWS::EC2::EIP', DependsOn: 'GatewayAttachment', Properties: { Domain: 'vpc' } },
    NatGateway: {
      Type: 'AWS::EC2::NatGateway',
      Properties: {
        AllocationId: attribute('NatAddress', 'AllocationId'),
        SubnetId: ref('PublicSubnet'),
        Tags: tags('nat'),
      },
    },
    ScanSubnet: {
      Type: 'AWS::EC2::Subnet',
      Properties: {
        ...{ VpcId: ref('Vpc'), AvailabilityZone: firstZone, CidrBlock: subnetBlock(1) },
        Tags: tags('scans'),
      },
    },
    ScanRoutes: { Type: 'AWS::EC2::RouteTable', Properties: { VpcId: ref('Vpc'), Tags: tags('scans') } },
    ScanRoute: {
      Type: 'AWS::EC2::Route',
      Properties: {
        ...{ RouteTableId: ref('ScanRoutes'), DestinationCidrBlock: EVERYWHERE },
        NatGatewayId: ref('NatGateway'),
      },
    },
    ScanSubnetRoutes: {
      Type: 'AWS::EC2::SubnetRouteTableAssociation',
      Properties: { SubnetId: ref('ScanSubnet'), RouteTableId: ref('ScanRoutes') },
    },
    ScanSecurityGroup: {
      Type: 'AWS::EC2::SecurityGroup',
      Properties: {
        GroupDescription: 'Machines that run scans: outbound HTTPS only',
        VpcId: ref('Vpc'),
        SecurityGroupIngress: [],
        SecurityGroupEgress: [{ IpProtocol: 'tcp', FromPort: 443, ToPort: 443, CidrIp: EVERYWHERE }],
        Tags: tags('scans'),
      },
    },
  },
  Outputs: {
    VpcId: { Description: 'The network', Value: ref('Vpc') },
    SubnetId: { Description: 'The subnet for machines that run scans', Value: ref('ScanSubnet') },
    SecurityGroupId: { Description: 'The security group of these machines', Value: ref('ScanSecurityGroup') },
    OutboundAddress: {
      Description: 'The address of their connections, for the allow list of a code host',
      Value: ref('NatAddress'),
    },
  },
};
